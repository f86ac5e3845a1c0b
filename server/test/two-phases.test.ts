import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { DIVIDED } from './support/citus.ts'
import { readWrittenTogether } from './support/written-together.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What the service does, from the tests that do it: every route, each way to send, and what is done later. */
const FLOWS = [
  'server/test/writes.test.ts',
  'server/src/push',
  'server/src/identity/settings',
  'server/src/administration/accounts',
  'server/src/marketplace/chat',
  'server/src/marketplace/swaps',
  'server/src/marketplace/groups',
]
const DIVIDE = await readFile(join(ROOT, 'server/migrations/divided/divide.sql'), 'utf8')
const [, LISTED = ''] = /foreach name in array array\[([^\]]+)\]/.exec(DIVIDE) ?? []
const BESIDE_HOMES = Array.from(LISTED.matchAll(/\w+/g), ([name]) => name)
const OF_HOMES: ReadonlySet<string> = new Set([...DIVIDED, 'home_messages'])
const isOfHome = (act: string) => OF_HOMES.has(toTable(act))
/** Citus commits in two phases what writes one of these. A person who is deleted leaves the homes, by triggers. */
const asksForTwo = (act: string) => act === 'delete:users' || BESIDE_HOMES.includes(toTable(act))

// Tests of the service run once more here, for two minutes or more, so this is left to those who change the division.
describe.skipIf((process.env['CITUS_URL'] ?? '') === '')('the service (skipped unless CITUS_URL names a Citus)', () => {
  let together: string[][] = []

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'swapbell-writes-'))
    const file = join(folder, 'writes')
    const env = { ...process.env, RECORD_WRITES: file, CI: '' }
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...FLOWS]
    // Tests that count pages or tables fail beside the record, and pass without it.
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, maxBuffer: 1 << 28 }).catch(() => undefined)
    together = (await readWrittenTogether(file)).filter((acts) => acts.some(isOfHome))
    await rm(folder, { recursive: true })
  }, 20 * 60_000)

  test('what is written beside a home is committed in two phases with it, where the database is divided', () => {
    expect(together.length).toBeGreaterThan(60)
    const mixed = together.filter((acts) => !acts.every(isOfHome))
    expect(mixed.filter((acts) => !acts.some(asksForTwo))).toEqual([])
  })

  test('each table that asks for two phases is needed for a transaction that no other covers', () => {
    const asking = together.map((acts) => new Set(acts.filter(asksForTwo).map(toTable)))
    const needed = BESIDE_HOMES.filter((name) => asking.some((tables) => tables.size === 1 && tables.has(name)))
    expect(needed).toEqual(BESIDE_HOMES)
  })
})

function toTable(act: string): string {
  return act.slice(act.indexOf(':') + 1)
}
