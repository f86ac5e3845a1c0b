import { Readable } from 'node:stream'

const MOST_GATHERED_BYTES = 16_384

/** Somebody who reads server-sent events. */
export type EventReader = {
  readonly stream: Readable
  /** True while the reader has not taken what was sent before: send nothing more, keep the latest. */
  isFull(): boolean
  /** Sends one or more whole events, or comments. */
  send(lines: string): void
  /** Sends `end` with a reason and closes. A reader that takes nothing is disconnected instead. */
  end(reason: string): void
}

/**
 * Opens a stream of server-sent events for one reader, and tells it to come back after `retryMs` when it is cut off.
 * Nothing is gathered for a slow reader: whoever sends asks `isFull` first. `onTaken` is called when the reader has
 * taken what was sent.
 */
export function openEventReader(retryMs: number, onTaken: () => void = () => undefined): EventReader {
  const state = { isFull: false }
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
  }
  stream.push(`retry: ${retryMs}\n\n`)
  return {
    stream,
    isFull: () => state.isFull,
    send,
    end: (reason) => {
      if (state.isFull) stream.destroy()
      else {
        send(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
        stream.push(null)
      }
    },
  }
}
