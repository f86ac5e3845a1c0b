import { writeSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import type { Watch } from './watchdog.ts'

const STACK_MS = 5_000
const FRAMES_MAX = 8

watch(workerData as Watch)

/** Counts checks, not time: while the process is stopped or its machine sleeps, this thread does not check either. */
function watch({ beats, lookEveryMs, looks }: Watch): void {
  let last = -1
  let still = 0
  const look = setInterval(() => {
    const now = Atomics.load(beats, 0)
    still = now === last ? still + 1 : 0
    last = now
    if (still < looks) return
    clearInterval(look)
    void endProcess((looks * lookEveryMs) / 1_000)
  }, lookEveryMs)
}

async function endProcess(seconds: number): Promise<void> {
  const at = await Promise.race([whereItStands(), wait(STACK_MS, [])])
  const line = {
    level: 'fatal',
    time: new Date().toISOString(),
    seconds,
    at,
    msg: 'the event loop is blocked: the process ends',
  }
  try {
    // Standard output, where the log goes; the log's own buffer is not written any more.
    writeSync(1, `${JSON.stringify(line)}\n`)
  } finally {
    // Only a signal can end a process from a thread that is not the main one.
    process.kill(process.pid, 'SIGKILL')
  }
}

async function whereItStands(): Promise<string[]> {
  const session = new Session()
  session.connectToMainThread()
  return new Promise((resolve) => {
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      const frames = callFrames.slice(0, FRAMES_MAX)
      resolve(frames.map(({ functionName, url, location }) => `${functionName} ${url}:${location.lineNumber + 1}`))
    })
    // Both calls wait for the thread, because it is running.
    session.post('Debugger.enable').catch(() => resolve([]))
    session.post('Debugger.pause').catch(() => resolve([]))
  })
}
