import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

// Larger than any real pid.
const NO_SUCH_PID = 2_147_483_647

/**
 * Stops the PostgreSQL that a killed process left running on the cluster in `data`. If the pid in the pid file now
 * belongs to another program, it is replaced by an unused one, because PostgreSQL would refuse to start. The file must
 * stay: it also names the shared memory by which PostgreSQL finds surviving backends.
 */
export async function stopLeftover(data: string, log: (line: string) => void): Promise<void> {
  const file = join(data, 'postmaster.pid')
  const content = await readFile(file, 'utf8').catch(() => undefined)
  if (content === undefined) return
  const [firstLine = '', ...rest] = content.split('\n')
  const pid = Number(firstLine)
  if (await isPostgresFor(pid, data)) {
    log(`stopping the PostgreSQL (process ${pid}) that an earlier run left behind`)
    await stopProcess(pid, data)
  } else {
    await writeFile(file, [NO_SUCH_PID, ...rest].join('\n'))
  }
}

/** Whether the process is the PostgreSQL server of this cluster: a server's working directory is its data directory. */
async function isPostgresFor(pid: number, data: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (process.platform === 'linux') {
    const [program, directory] = await Promise.all(
      ['exe', 'cwd'].map((name) => readlink(`/proc/${pid}/${name}`).catch(() => '')),
    )
    // "postgres (deleted)" when the program was reinstalled since.
    return basename(program ?? '').startsWith('postgres') && directory === (await realpath(data))
  }
  const run = promisify(execFile)
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres') && stdout.includes(data)
}

/** Tries a fast shutdown, then an immediate one after 15 seconds; throws when both fail. */
async function stopProcess(pid: number, data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal)
    const deadline = performance.now() + 15_000
    while (performance.now() < deadline) {
      await sleep(50)
      if (!(await isPostgresFor(pid, data))) return
    }
  }
  throw new Error(`The PostgreSQL (process ${pid}) that an earlier run left running on ${data} does not stop.`)
}
