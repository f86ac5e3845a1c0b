import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AUTHORITY_FILE } from '../../../simulator/src/http2/certificates.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import type { DoubleReport, DoubleWish, Message } from './doubles.ts'
import type { SenderReport, SenderWish } from './sender.ts'
import type { Target } from './target.ts'

/** A process that is asked by messages, and answers each by one. */
type ChildPart = { pid: number; ask(message: object | string): Promise<unknown>; stop(): Promise<void> }

export type RunningDouble = {
  target: Target
  report(): Promise<DoubleReport>
  /** What every push is answered from now on. */
  answer(reason: string): Promise<unknown>
  stop(): Promise<void>
}

export async function startDouble(wish: DoubleWish): Promise<RunningDouble> {
  const part = await startChild('./doubles.ts')
  const target = (await part.ask(wish)) as Target
  const answer = (reason: string) => part.ask({ reason } satisfies Message)
  return { target, answer, report: async () => (await part.ask('report')) as DoubleReport, stop: part.stop }
}

export async function startSender() {
  const part = await startChild('./sender.ts')
  return { ...part, run: async (wish: SenderWish) => (await part.ask(wish)) as SenderReport }
}

export async function startChild(file: string): Promise<ChildPart> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: AUTHORITY_FILE, MALLOC_ARENA_MAX: '1' },
    execArgv: [...NODE_FLAGS, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  await awaitAnswer(child)
  return {
    pid: child.pid ?? 0,
    ask: async (message) => {
      child.send(message)
      return awaitAnswer(child)
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function awaitAnswer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const { signal } = ended
  const exit = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The process ended with ${String(code)}.`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), exit])) as unknown[]
    return message
  } finally {
    exit.catch(() => undefined)
    ended.abort()
  }
}
