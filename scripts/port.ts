import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a server could listen on the address now; throws when the address itself is invalid. */
export async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/** Waits until an earlier run releases the port; throws an Error that names the setting and the process on the port. */
export async function waitUntilFree(setting: string, host: string, port: number, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isFree(host, port))) {
    if (performance.now() > deadline) {
      const holder = (await findHolder(port)) ?? 'another program'
      throw new Error(
        `Port ${port} is taken by ${holder}. Stop it, or choose another: ${setting}=${port + 1} npm start`,
      )
    }
    await sleep(100)
  }
}

/**
 * The process that listens on the port, from Linux's /proc; undefined on other systems and for processes of other
 * users.
 */
async function findHolder(port: number): Promise<string | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  // proc_net_tcp: field 1 is the local address and port, 3 the state (0A: listening), 9 the socket.
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/)))
  const sockets = rows
    .filter((row) => row[1]?.endsWith(`:${hex}`) && row[3] === '0A')
    .map((row) => `socket:[${row[9]}]`)
  if (sockets.length === 0) return undefined
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const open = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')))
    if (!open.some((target) => sockets.includes(target))) continue
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim()
    return `process ${pid} (${command.slice(0, 120)})`
  }
  return undefined
}
