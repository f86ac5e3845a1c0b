import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { createServer, type AddressInfo } from 'node:net'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

/** What a benchmark runs on: a PostgreSQL with its usual settings, and processes of their own for each part. */
export type Bench = {
  pool: Pool
  databaseUrl: string
  /** Starts the simulator; `latencyMs` is how long it takes to answer. */
  simulator(latencyMs: number): Promise<Part>
  /** Starts a process of the service with these settings over the benchmark's own. */
  service(settings: Record<string, string>): Promise<Part>
  close(): Promise<void>
}
export type Part = { url: string; pid: number; stop(): Promise<void> }

const JWT_SECRET = 'a signing key of the benchmark alone, 64 bytes of it or even more'

export async function startBench(): Promise<Bench> {
  const postgres = await startEmbeddedPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'swapbell-bench-')),
    settings: { shared_buffers: '1GB', max_wal_size: '4GB' },
    log: () => undefined,
  })
  const pool = new Pool({ connectionString: postgres.url, max: 4 })
  await migrate(pool)
  // The official client reads its address once, so every simulator of a run has the same.
  const simulatorPort = String(await freePort())
  return {
    pool,
    databaseUrl: postgres.url,
    simulator: (latencyMs) =>
      startPart('simulator', {
        SIM_PORT: simulatorPort,
        SIM_RATE_PER_SECOND: '0',
        SIM_LATENCY_MS: String(latencyMs),
        SIM_RECEIPT_DELAY_MS: '0',
      }),
    service: (settings) =>
      startPart('server', {
        DATABASE_URL: postgres.url,
        JWT_SECRET,
        PORT: '0',
        RATE_LIMITS: 'off',
        PUSH_RATE_PER_SECOND: '0',
        LOG_LEVEL: 'warn',
        ...settings,
      }),
    close: async () => {
      await pool.end()
      await postgres.remove()
    },
  }
}

async function startPart(workspace: 'server' | 'simulator', env: Record<string, string>): Promise<Part> {
  const file = fileURLToPath(new URL(`../../${workspace}/src/main.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--max-semi-space-size=16', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await readyUrl(child, workspace)
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url, pid: child.pid ?? 0, stop }
}

async function readyUrl(child: ChildProcess, name: string): Promise<string> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The ${name} ended before it was ready.`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url?: string }]
  return message.url ?? ''
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
