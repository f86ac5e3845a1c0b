import type { Readable } from 'node:stream'

/** Closes the stream if `work` fails: nobody will read it, and its connection would stay open. */
export async function orClosed<T>(stream: Readable, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    stream.destroy()
    throw error
  }
}
