import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type ProcessRow = { pid: number; parent: number; command: string }

/** Every process of the machine; without `ps` on Linux, where small images lack it. */
export function processTable(): ProcessRow[] {
  return process.platform === 'linux' ? tableFromProc() : tableFromPs()
}

/** The processes that `pid` started, and those that they started. */
export function listDescendants(pid: number, table = processTable()): ProcessRow[] {
  const children = table.filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child, ...listDescendants(child.pid, table)])
}

/** The id of the main process of the PostgreSQL with this data directory. */
export async function readPostmaster({ data }: { data: string }): Promise<number> {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

function tableFromProc(): ProcessRow[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // proc(5): after the program's name in brackets come the state and the parent.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return [{ pid: Number(pid), parent, command }]
    } catch {
      // It has ended since.
      return []
    }
  })
}

function tableFromPs(): ProcessRow[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  return rows.map((row) => {
    const [pid, parent, ...command] = row.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') }
  })
}
