import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../server/test/support/postgres.ts'
import { readPostmaster } from '../../server/test/support/process-table.ts'
import { cpuOfPostgres } from './processes.ts'

const QUIET_MS = 2_000
const QUIET_SHARE = 0.05

/** The servers of a database: a plain one, or those of a Citus, whose coordinator is the first. */
export type Nodes = {
  url: string
  postmasters: number[]
  /** What an operator does once the tables are made. */
  evenOut(): Promise<void>
  remove(): Promise<void>
}

export async function startPlain(): Promise<Nodes> {
  const server = await startPostgres({ dataDir: await makeDataDir() })
  const { url, remove } = server
  return { url, postmasters: [await readPostmaster(server)], evenOut: async () => undefined, remove }
}

export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'swapbell-bench-'))
}

/** Seconds of CPU of each server. */
export function readNodes({ postmasters }: Pick<Nodes, 'postmasters'>): Promise<number[]> {
  return Promise.all(postmasters.map(cpuOfPostgres))
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/**
 * Waits until the servers together take less than a twentieth of a core on the average of two seconds, beyond what they
 * take when `idle`, in milliseconds a second: a plain one up to 40 beside an idle service.
 */
export async function untilQuiet(nodes: Pick<Nodes, 'postmasters'>, idle = 0): Promise<void> {
  const most = (QUIET_MS / 1_000) * (QUIET_SHARE + idle / 1_000)
  for (;;) {
    const before = sum(await readNodes(nodes))
    await sleep(QUIET_MS)
    if (sum(await readNodes(nodes)) - before < most) return
  }
}
