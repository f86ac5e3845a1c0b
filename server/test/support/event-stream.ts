type StreamEvent = { id?: string; event: string; data: Record<string, unknown> }

/** A stream of server-sent events that is being read. */
export type EventStream = {
  status: number
  headers: Headers
  /** The next event; undefined at the end. Lines that say nothing are counted in `heartbeats`. */
  next(): Promise<StreamEvent | undefined>
  heartbeats(): number
  leave(): void
}

/** Opens a stream, with a token or by a link. */
export async function openStream(url: string, user?: { headers: Record<string, string> }): Promise<EventStream> {
  const leaving = new AbortController()
  const answer = await fetch(url, { signal: leaving.signal, ...(user && { headers: user.headers }) })
  let heartbeats = 0
  async function* read(): AsyncGenerator<StreamEvent> {
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, id, event, json = ''] = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        if (event === undefined) heartbeats += text.startsWith(':') ? 1 : 0
        else yield { ...(id !== undefined && { id }), event, data: JSON.parse(json) as Record<string, unknown> }
        text = text.slice(end + 2)
      }
    }
  }
  const events = read()
  return {
    status: answer.status,
    headers: answer.headers,
    next: async () => (await events.next()).value as StreamEvent | undefined,
    heartbeats: () => heartbeats,
    leave: () => leaving.abort(),
  }
}
