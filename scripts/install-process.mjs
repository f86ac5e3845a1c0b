import { readFileSync } from 'node:fs'

/** How a child ended: its exit code, its signal, or why it could not start. Signals of ours reach it. */
export function awaitExit(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, signal) => done(code ?? signal))
  })
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    // A zombie, ended but not yet collected by its parent, also answers signal 0.
    return !/\) Z /.test(read(`/proc/${pid}/stat`) ?? '')
  } catch (error) {
    return error.code === 'EPERM'
  }
}

export function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

export function say(line) {
  process.stderr.write(`${line}\n`)
}
