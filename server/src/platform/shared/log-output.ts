import { write, writeSync } from 'node:fs'

/** Takes lines of the log, each with its line break. */
export type LogOutput = { write(line: string): void }

// Of text that waits; what comes then is lost, and counted.
const MOST_WAITING = 4_000_000
// A pipe whose reader is slow, and anything else.
const TRY_AGAIN_MS = { EAGAIN: 10, other: 1_000 }

/**
 * Writes lines to a file descriptor, in their order, without making their writer wait. While it cannot be written (its
 * disk is full) lines wait, up to 4 MB of them; the next are lost, and their number is told once it can be written again. So a
 * log that cannot be written neither ends the process nor holds it back. At the end of the process the rest is tried once.
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
      // What is in flight is the system's: to write it again could double it.
      if (!inFlight) writeAllNow(fd, rest)
      writeAllNow(fd, takeAll())
    } catch {
      // It cannot be written, and there is nobody left to tell.
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
