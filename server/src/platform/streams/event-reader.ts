import { Readable } from 'node:stream'

const MOST_GATHERED_BYTES = 16_384

export type EventReader = {
  readonly stream: Readable
  /** True while the reader has not taken what was sent: send nothing more, as nothing is gathered for a slow reader. */
  isFull(): boolean
  send(lines: string): void
  /** Sends a comment line after `heartbeatMs` of silence; cuts a reader that takes nothing for `stalledMs`. */
  keepAlive(limits: { heartbeatMs: number; stalledMs: number }): void
  end(reason: string): void
}

export function openEventReader(retryMs: number, onTaken: () => void = () => undefined): EventReader {
  const state = { isFull: false, lastAt: performance.now() }
  const stream = new Readable({
    highWaterMark: MOST_GATHERED_BYTES,
    read: () => {
      if (!state.isFull) return
      state.isFull = false
      onTaken()
    },
  })
  const send = (lines: string) => {
    state.isFull = !stream.push(lines)
    state.lastAt = performance.now()
  }
  stream.push(`retry: ${retryMs}\n\n`)
  return {
    stream,
    isFull: () => state.isFull,
    send,
    keepAlive: ({ heartbeatMs, stalledMs }) => {
      const silentMs = performance.now() - state.lastAt
      if (state.isFull && silentMs > stalledMs) stream.destroy()
      else if (!state.isFull && silentMs >= heartbeatMs) send(': still here\n\n')
    },
    end: (reason) => {
      if (state.isFull) stream.destroy()
      else {
        send(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
        stream.push(null)
      }
    },
  }
}
