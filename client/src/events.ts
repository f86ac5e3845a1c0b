import { isRefusal, unanswered } from './refusal.ts'

/** An event of a stream. `data` is its JSON; `id` is what the stream resumes from. */
export type ServerEvent = { event: string; id: string | undefined; data: unknown }

// The service sends something every 20 seconds, if only a comment.
const SILENCE_MS = 60_000
// A user has more streams open than the service lets them: at once they would close each other in turns.
const REPLACED_MS = 30_000

/**
 * The events of one answer, as they come. Leaving the loop closes the connection. It ends with a `Refusal` when nothing
 * comes for a minute, because a connection can be lost without a sign.
 */
export async function* events(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  for await (const fields of readBlocks(response)) {
    const event = toEvent(fields)
    if (event !== undefined) yield event
  }
}

async function* readBlocks(response: Response): AsyncGenerator<Map<string, string>, void, undefined> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await readInTime(reader)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield parseBlock(block)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function readInTime<T>(reader: { read(): Promise<T> }): Promise<T> {
  let timer
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(unanswered('TIMED_OUT', undefined)), SILENCE_MS)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}

function parseBlock(block: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    fields.set(name, name === 'data' && fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  return fields
}

/** Undefined for a comment, which only keeps the connection open. */
function toEvent(fields: Map<string, string>): ServerEvent | undefined {
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) }
}

type Stream = (input: { header: { 'last-event-id'?: string }; signal?: AbortSignal }) => Promise<Response>
type Following = {
  /** Ends the loop without an error. */
  signal?: AbortSignal
  /**
   * Waits before the stream is opened again, `attempt` 1, 2, … after the last event. When absent: half a second to 30,
   * after the milliseconds that the service asked for.
   */
  wait?: (attempt: number, signal: AbortSignal | undefined, askedMs: number) => Promise<void>
}

/**
 * The events of a stream. It is opened again, from its last event on, whenever it ends, the connection fails, or
 * nothing comes for a minute. It ends when `signal` does, and with a `Refusal` when the service refuses the stream (a
 * session that has ended, say).
 */
export async function* follow(
  stream: Stream,
  { signal, wait = waitLonger }: Following = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  let last: string | undefined
  let attempt = 0
  let askedMs = 0
  const isEnded = () => signal?.aborted === true
  while (!isEnded()) {
    // Each connection has its own signal: what listens to it goes with the connection.
    const connection = new AbortController()
    const leave = () => connection.abort()
    signal?.addEventListener('abort', leave)
    try {
      const header = last === undefined ? {} : { 'last-event-id': last }
      for await (const fields of readBlocks(await stream({ header, signal: connection.signal }))) {
        askedMs = Number(fields.get('retry')) || askedMs
        const event = toEvent(fields)
        if (event === undefined) continue
        last = event.id ?? last
        if (event.event !== 'end') attempt = 0
        else if (fields.get('data')?.includes('"replaced"')) askedMs = REPLACED_MS
        yield event
      }
    } catch (error) {
      if (isEnded()) return
      if (isRefusal(error) && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
      if (error instanceof SyntaxError) throw error
      if (isRefusal(error) && error.retryAfterSeconds !== undefined) askedMs = error.retryAfterSeconds * 1_000
    } finally {
      signal?.removeEventListener('abort', leave)
    }
    attempt++
    await wait(attempt, signal, askedMs)
  }
}

/** Doubles up to thirty seconds, less up to a half by chance, so that many phones do not come back together. */
async function waitLonger(attempt: number, signal: AbortSignal | undefined, askedMs: number): Promise<void> {
  const milliseconds = askedMs + Math.min(30_000, 500 * 2 ** Math.min(attempt, 10)) * (1 - Math.random() / 2)
  await new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
