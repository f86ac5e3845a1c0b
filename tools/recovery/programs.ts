import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs PostgreSQL's and pgBackRest's programs; as `postgres` where this process is root, as PostgreSQL demands. */
type Programs = {
  owner: { uid: number; gid: number } | undefined
  run(program: string, args: readonly string[]): Promise<string>
}

const POSTGRES = process.env['STOCK_POSTGRES'] ?? '/usr/lib/postgresql/15/bin'
const NEEDED = [
  { program: `${POSTGRES}/postgres`, from: 'postgresql-15' },
  { program: 'pgbackrest', from: 'pgbackrest' },
  { program: 'jq', from: 'jq' },
]
const HANGS_AFTER_MS = 5 * 60_000

const execute = promisify(execFile)

/** Debian's packages that are missing here. */
export function missingPackages(): string[] {
  return NEEDED.filter(({ program }) => !isInstalled(program)).map(({ from }) => from)
}

export function openPrograms(environment: Record<string, string>): Programs {
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  const env = { PATH: `${POSTGRES}:${process.env['PATH']}`, ...environment }
  return {
    owner,
    run: async (program, args) => {
      const options = { ...owner, env, cwd: '/', timeout: HANGS_AFTER_MS, maxBuffer: 1 << 26 }
      return (await execute(program, [...args], options)).stdout
    },
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
}
