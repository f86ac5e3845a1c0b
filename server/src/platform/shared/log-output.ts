import { write, writeSync } from 'node:fs'

/** Takes log lines, each with its line break. */
export type LogOutput = { write(line: string): void }

// Bytes of waiting text; more is dropped and counted.
const MOST_WAITING = 4_000_000
// For a pipe with a slow reader, and for any other error.
const TRY_AGAIN_MS = { EAGAIN: 10, other: 1_000 }

/**
 * Writes lines to a file descriptor in order, without blocking the writer. While it cannot be written (a full disk), up
 * to 4 MB of lines wait; more are dropped, and their number is logged when writing works again. So an unwritable log
 * neither ends nor blocks the process. At the end of the process the rest is tried once.
 */
export function createLogOutput(fd: number): LogOutput {
  const waiting: string[] = []
  let size = 0
  let lost = 0
  let inFlight = false
  let isUsed = false
  let rest = Buffer.alloc(0)

  const next = () => {
    if (inFlight) return
    if (rest.length === 0) rest = takeAll()
    if (rest.length === 0) return
    inFlight = true
    write(fd, rest, (error, written) => {
      inFlight = false
      rest = rest.subarray(written)
      if (error) setTimeout(next, error.code === 'EAGAIN' ? TRY_AGAIN_MS.EAGAIN : TRY_AGAIN_MS.other).unref()
      else next()
    })
  }
  const takeAll = () => {
    const text = waiting.splice(0).join('')
    size = 0
    if (text === '' || lost === 0) return Buffer.from(text)
    const told = tellLost(lost)
    lost = 0
    return Buffer.from(told + text)
  }
  const writeRest = () => {
    try {
      // Text in flight belongs to the system: writing it again could repeat it.
      if (!inFlight) writeAllNow(fd, rest)
      writeAllNow(fd, takeAll())
    } catch {
      // It cannot be written, and nobody can be told.
    }
  }
  return {
    write: (line) => {
      if (!isUsed) process.once('exit', writeRest)
      isUsed = true
      if (size > MOST_WAITING) lost++
      else {
        waiting.push(line)
        size += line.length
      }
      next()
    },
  }
}

function writeAllNow(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
}

function tellLost(lines: number): string {
  const msg = `${lines} lines of the log were lost: it could not be written`
  return `${JSON.stringify({ level: 'error', time: new Date().toISOString(), msg })}\n`
}
