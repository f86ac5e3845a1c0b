import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Payloads, QueueName } from '../../server/src/platform/jobs/queue.ts'

/** Speeds up the service's slow timers from outside: its code and settings are unchanged. */
export type Time = {
  /** True stops all sweeps; false starts them again. */
  pause(isPaused: boolean): void
  /** Adds more coordinating jobs for a message. */
  coordinateAlso(messageId: number, times: number): Promise<void>
  /** Runs a job of the service now, without its schedule. */
  run<Name extends QueueName>(queue: Name, payload: Payloads[Name]): Promise<void>
  stop(): Promise<void>
}

const SWEEP_EVERY_MS = 300

/**
 * Sweeps run all the time instead of every minute; a coordinating job whose worker died expires after 3 s instead of 2
 * min and is retried at once; an open breaker tries again after 1 s instead of 15 to 60 s.
 */
export async function hurryTime(databaseUrl: string, pool: Pool): Promise<Time> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 2,
    supervise: true,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  // PostgreSQL is stopped on purpose in some scenarios.
  boss.on('error', () => undefined)
  await boss.start()
  await boss.updateQueue('coordinate', { expireInSeconds: 3, retryDelay: 0 })

  let isPaused = false
  const ending = new AbortController()
  const run = async <Name extends QueueName>(queue: Name, payload: Payloads[Name]) => {
    await boss.send(queue, payload)
    // The service announces its own jobs in the same way.
    await pool.query(`select pg_notify('swapbell_work', $1)`, [queue])
  }
  const round = async () => {
    if (isPaused) return
    await run('sweep', {})
    await pool.query(
      `update provider_state set retry_at = least(retry_at, now() + interval '1 s') where breaker in ('open', 'half_open')`,
    )
  }
  const loop = async () => {
    while (!ending.signal.aborted) {
      await round().catch(() => undefined)
      await sleep(SWEEP_EVERY_MS)
    }
  }
  const looping = loop()
  return {
    pause: (paused) => void (isPaused = paused),
    coordinateAlso: async (messageId, times) => {
      await boss.insert(
        'coordinate',
        Array.from({ length: times }, () => ({ data: { messageId } })),
      )
      await pool.query(`select pg_notify('swapbell_work', 'coordinate')`)
    },
    run,
    stop: async () => {
      ending.abort()
      await looping
      await boss.stop({ graceful: false, close: true })
    },
  }
}
