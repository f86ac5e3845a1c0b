import { readdir, readFile } from 'node:fs/promises'

// Linux counts the CPU of processes in hundredths of a second.
const TICKS = 100

/** Seconds of CPU of a process. */
export async function readCpu(pid: number): Promise<number> {
  const { own } = await readStat(pid)
  return own / TICKS
}

/** Seconds of CPU of a PostgreSQL with all its processes, also those that have ended. */
export async function cpuOfPostgres(postmaster: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map((pid) => readStat(pid).catch(() => undefined)))
  const all = await readStat(postmaster)
  const children = stats.reduce((sum, stat) => sum + (stat?.parent === postmaster ? stat.own : 0), 0)
  return (all.own + all.ended + children) / TICKS
}

/** The most memory that a process has held. */
export function peakMegabytes(pid: number): Promise<number> {
  return readMegabytes(pid, 'VmHWM')
}

/** The memory that a process holds. */
export function residentMegabytes(pid: number): Promise<number> {
  return readMegabytes(pid, 'VmRSS')
}

async function readMegabytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024)
}

async function readStat(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may hold spaces; the fields after it are those from the third on.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { parent: field(4), own: field(14) + field(15), ended: field(16) + field(17) }
}
