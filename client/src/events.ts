import { isRefusal } from './refusal.ts'

/** An event of a stream. `data` is its JSON; `id` is what the stream resumes from. */
export type ServerEvent = { event: string; id: string | undefined; data: unknown }

/** The events of one answer, as they come. Leaving the loop closes the connection. */
export async function* events(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Undefined for a comment, which only keeps the connection open. */
function parseEvent(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    fields.set(name, name === 'data' && fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) }
}

type Stream = (input: { header: { 'last-event-id'?: string }; signal?: AbortSignal }) => Promise<Response>
type Following = {
  /** Ends the loop without an error. */
  signal?: AbortSignal
  /** Waits before the stream is opened again, `attempt` 1, 2, … after the last event; half a second to 30 when absent. */
  wait?: (attempt: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * The events of a stream that is opened again, from its last event on, whenever it ends or the connection fails. It ends
 * when `signal` does, and with a `Refusal` when the service refuses the stream (a session that has ended, say).
 */
export async function* follow(
  stream: Stream,
  { signal, wait = waitLonger }: Following = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  let last: string | undefined
  let attempt = 0
  const isEnded = () => signal?.aborted === true
  while (!isEnded()) {
    try {
      const header = last === undefined ? {} : { 'last-event-id': last }
      for await (const event of events(await stream({ header, ...(signal && { signal }) }))) {
        last = event.id ?? last
        attempt = 0
        yield event
      }
    } catch (error) {
      if (isEnded()) return
      if (isRefusal(error) && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
      if (error instanceof SyntaxError) throw error
    }
    attempt++
    await wait(attempt, signal)
  }
}

/** Doubles up to thirty seconds, less up to a half by chance, so that many phones do not come back together. */
async function waitLonger(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const milliseconds = Math.min(30_000, 500 * 2 ** Math.min(attempt, 10)) * (1 - Math.random() / 2)
  await new Promise<void>((done) => {
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
