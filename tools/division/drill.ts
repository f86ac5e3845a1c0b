import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../local-postgres/src/free-port.ts'

/** Homes of each worker, by the number of its node. */
type Spread = Record<string, number>

type DrillReport = {
  /** After the set-up with two workers, and after a third. */
  spreads: Spread[]
  /** Rows of all homes when the restore point was made, when all was lost, and after the restore. */
  rows: { atPoint: number; atLoss: number; restored: number }
  /** What the doctor warns of in the end. */
  warnings: string[]
}

const PAGE = fileURLToPath(new URL('../../docs/divided.md', import.meta.url))
const MANAGE = fileURLToPath(new URL('../../server/src/commands/manage.ts', import.meta.url))
const NODES = ['COORDINATOR', 'WORKER_1', 'WORKER_2', 'WORKER_3']
const JWT_SECRET = 'only-for-a-drill-on-one-machine-0123456789'
const COUNT = 'select sum(sent) from push_counts'
const SPREAD = `select json_object_agg(groupid, homes) from (
  select groupid, count(*) as homes from generate_series(0, 31) home
  join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('batches', home) group by 1) x`
const execute = promisify(execFile)

/** Follows the blocks of docs/divided.md on servers of its own, of which all are lost once. */
export async function drillDivision(say: (line: string) => void): Promise<DrillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-division-'))
  await chmod(folder, 0o711)
  const sections = readBlocks(await readFile(PAGE, 'utf8'))
  const shell = await openShell(join(folder, 'srv'), sections['Set it up']!.shift()!)
  const follow = async (section: string) => {
    for (const block of sections[section]!) await shell(block)
    say(`Followed: ${section}.`)
  }
  const ask = async (statement: string) => shell(`on $COORDINATOR <<'SQL'\n${statement};\nSQL`)
  const write = async () =>
    ask(`insert into push_counts (home, bucket, slot, sent)
      select home, clock_timestamp(), 0, 1 from generate_series(0, 31) home`)
  try {
    await follow('Set it up')
    const spreads = [JSON.parse(await ask(SPREAD)) as Spread]
    await write()
    await follow('Add a server, and even out the homes')
    spreads.push(JSON.parse(await ask(SPREAD)) as Spread)
    await follow('Back up')
    const atPoint = Number(await ask(COUNT))
    await write()
    const atLoss = Number(await ask(COUNT))
    await follow('Restore')
    const restored = Number(await ask(COUNT))
    const findings = await shell('use_database; manage doctor --json')
    const warnings = (JSON.parse(findings) as { check: string; level: string }[]).filter(({ level }) => level !== 'ok')
    return { spreads, rows: { atPoint, atLoss, restored }, warnings: warnings.map(({ check }) => check) }
  } finally {
    await shell(
      'for node in coordinator worker-1 worker-2 worker-3; do as_postgres "pg_ctl -D $node -m immediate -w stop" || true; done',
    ).catch(() => undefined)
    await rm(folder, { recursive: true, maxRetries: 20 })
  }
}

/** The blocks of the page that are commands, by their heading. */
function readBlocks(page: string): Record<string, string[]> {
  const sections = page.split(/^## /m).map((section) => {
    const blocks = Array.from(section.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block = '']) => block)
    return [section.slice(0, section.indexOf('\n')), blocks] as const
  })
  return Object.fromEntries(sections)
}

/** Runs a block as one shell would that has read the first block, and gives what it prints. */
async function openShell(SRV: string, names: string) {
  const ports: Record<string, string> = {}
  for (const node of NODES) ports[node] = String(await freePort())
  const env = { PATH: process.env['PATH'], SRV, MANAGE, NODE: process.execPath, JWT_SECRET, ...ports }
  const script = `${SRV}.sh`
  // The functions of a block stay for those that follow.
  // The doctor finds no provider here, and what else it finds is looked at in the end.
  const known = [names, 'manage() { "$NODE" "$MANAGE" "$@" || [ "$1" = doctor ]; }']
  return async (block: string): Promise<string> => {
    await writeFile(script, `set -euo pipefail\n${known.join('\n')}\n${block}`)
    for (const [text] of block.matchAll(/^\w+\(\) \{[\s\S]*?^\}$/gm)) known.push(text)
    const { stdout } = await execute('bash', [script], { env, maxBuffer: 1 << 26, timeout: 10 * 60_000 })
    return stdout.trim()
  }
}
