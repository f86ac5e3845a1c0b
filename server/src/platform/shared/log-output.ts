import { write, writeSync } from 'node:fs'

// Bytes of waiting text; more is dropped and counted.
const MOST_WAITING = 4_000_000
const TRY_AGAIN_MS = { EAGAIN: 10, other: 1_000 }

/** An unwritable log, such as on a full disk, neither ends nor blocks the process: lines wait, then are dropped. */
export function createLogOutput(fd: number): { write(line: string): void } {
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
    const notice = noticeOfLost(lost)
    lost = 0
    return Buffer.from(notice + text)
  }
  const writeRest = () => {
    try {
      // Text in flight belongs to the system: writing it again could repeat it.
      if (!inFlight) writeAllNow(fd, rest)
      writeAllNow(fd, takeAll())
    } catch {
      // It cannot be written, and there is no other log for the error.
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

function noticeOfLost(lines: number): string {
  const msg = `${lines} lines of the log were lost: it could not be written`
  return `${JSON.stringify({ level: 'error', time: new Date().toISOString(), msg })}\n`
}
