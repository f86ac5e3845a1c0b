import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * When the process `pid` was started, in the system's own notation; undefined when it does not run. Pid and start time
 * together identify a process, because pids are reused. A zombie (ended, but not yet collected by its parent) counts as
 * ended, although signal 0 still reaches it.
 */
export async function processStartedAt(pid: number): Promise<string | undefined> {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return process.platform === 'linux' ? startedAtFromProc(pid) : startedAtFromPs(pid)
}

async function startedAtFromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // proc(5): field 2 is the program's name in brackets, with any characters; 3 is the state, 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

async function startedAtFromPs(pid: number): Promise<string | undefined> {
  const run = promisify(execFile)
  const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  const [state, ...startedAt] = stdout.trim().split(/\s+/)
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : startedAt.join(' ')
}
