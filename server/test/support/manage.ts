import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { COMPILED } from './environment.ts'

export type Output = { code: number | null; stdout: string; stderr: string }

const MANAGE = fileURLToPath(new URL('../../src/commands/manage.ts', import.meta.url))

/** Runs `npm run manage -- …args` with these settings alone; `input` is what it reads from standard input. */
export async function manage(args: string[], env: Record<string, string> = {}, input = ''): Promise<Output> {
  const child = spawnManage(args, env)
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

export function spawnManage(args: string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MANAGE, ...args], {
    env: { PATH: process.env['PATH'], ...COMPILED, ...env },
  })
}
