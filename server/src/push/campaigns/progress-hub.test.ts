// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Principal } from '../../platform/rights/permissions.ts'
import { createProgress, type ProgressLimits } from './progress.ts'
import { listMessages } from './campaigns.queries.ts'

const LIMITS: ProgressLimits = { everyMs: 20, heartbeatMs: 60, stalledMs: 100, perHolder: 100, total: 100 }

async function readHolder({ given, deps }: Service): Promise<Principal> {
  const { headers } = await given.admin()
  return deps.sessions.authenticate(headers.authorization.slice('Bearer '.length))
}

/** To two people: the providers of a message to one person are read in its home. */
async function requireMessage(service: Service) {
  const id = await send(service, await usersWithPhones(service, 2))
  return (await listMessages(service.deps.db, [id]))[0]!
}

async function waitingForLock({ pool }: Service['deps']): Promise<number> {
  const { rowCount } = await pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

/** Reads on until the text matches, or the stream ends. */
async function readUntil(stream: Readable, pattern: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (pattern.test(text)) break
  }
  return text
}

describe('Streams of progress', () => {
  test('of many watchers cost one query for their messages and one for their sessions', async ({ service, deps }) => {
    const message = await requireMessage(service)
    const others = [await requireMessage(service), await requireMessage(service)]
    const holders = await Promise.all(Array.from({ length: 10 }, () => readHolder(service)))
    const progress = createProgress(deps, JSON.stringify, LIMITS)
    const streams = holders.flatMap((holder) => [message, ...others].map((one) => progress.watch(one, holder)))
    for (const stream of streams) stream.resume()
    const statements: number[] = []
    let asked = 0
    const count = () => asked++
    deps.pool.on('acquire', count)
    for (let look = 0; look < 5; look++) {
      asked = 0
      await readUntil(progress.watch(message, holders[0]!), /: still here/)
      statements.push(asked)
    }
    deps.pool.off('acquire', count)
    await progress.close()
    // Three polls each, and perhaps one more; sessions are read again after a second.
    expect(Math.max(...statements)).toBeLessThanOrEqual(6)
  })

  test('that begin while the database is read for others continue', async ({ service, deps }) => {
    const [first, second, holder] = [
      await requireMessage(service),
      await requireMessage(service),
      await readHolder(service),
    ]
    const progress = createProgress(deps, JSON.stringify, LIMITS)
    const client = await deps.pool.connect()
    await client.query('begin; lock table message_counts in access exclusive mode')
    progress.watch(first, holder).resume()
    // The query for the first now waits for the lock.
    await expect.poll(() => waitingForLock(deps)).toBe(1)
    const late = progress.watch(second, holder)
    await client.query('commit')
    client.release()
    expect(await readUntil(late, /: still here|event: end/)).toContain(': still here')
    await progress.close()
  })

  test('send heartbeats when nothing happens', async ({ service, deps }) => {
    const progress = createProgress(deps, JSON.stringify, LIMITS)
    const stream = progress.watch(await requireMessage(service), await readHolder(service))
    const text = await readUntil(stream, /(?:: still here\n\n){2}/)
    expect(text).toMatch(/^retry: 3000\n\nevent: progress\ndata: \{.*\}\n\n(?:: still here\n\n){2}$/)
    await progress.close()
    expect(await readUntil(stream, /reason/)).toBe('event: end\ndata: {"reason":"draining"}\n\n')
  })

  test('are closed when their reader takes nothing', async ({ service, deps }) => {
    let version = 0
    const large = () => `${version++}${'x'.repeat(100_000)}`
    const progress = createProgress(deps, large, LIMITS)
    const stream = progress.watch(await requireMessage(service), await readHolder(service))
    await expect.poll(() => stream.destroyed).toBe(true)
    expect(stream.readableLength).toBeLessThan(400_000)
    await progress.close()
  })

  test('are limited for each process', async ({ service, deps }) => {
    const progress = createProgress(deps, JSON.stringify, { ...LIMITS, total: 3 })
    const [message, holder] = [await requireMessage(service), await readHolder(service)]
    const streams = Array.from({ length: 3 }, () => progress.watch(message, holder))
    expect(() => progress.watch(message, holder)).toThrow('not available')
    const closed = once(streams[0]!, 'close')
    streams[0]!.destroy()
    await closed
    expect(progress.watch(message, holder)).toBeDefined()
    await progress.close()
  })
})
