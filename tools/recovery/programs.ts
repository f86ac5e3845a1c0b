import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { STOCK_POSTGRES } from '../../server/test/support/programs.ts'

/** Runs PostgreSQL's and pgBackRest's programs; as `postgres` where this process is root, as PostgreSQL demands. */
type Programs = {
  owner: { uid: number; gid: number } | undefined
  run(program: string, args: readonly string[]): Promise<string>
}

export const NEEDED = ['postgres', 'pgbackrest', 'jq']
const HANGS_AFTER_MS = 5 * 60_000

const execute = promisify(execFile)

export function openPrograms(environment: Record<string, string>): Programs {
  const owner = process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : undefined
  const env = { PATH: `${STOCK_POSTGRES}:${process.env['PATH']}`, ...environment }
  return {
    owner,
    run: async (program, args) => {
      const options = { ...owner, env, cwd: '/', timeout: HANGS_AFTER_MS, maxBuffer: 1 << 26 }
      return (await execute(program, [...args], options)).stdout
    },
  }
}

function readId(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
}
