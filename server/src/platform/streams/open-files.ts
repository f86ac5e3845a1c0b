import type { Readable } from 'node:stream'
import { errors } from '../shared/errors.ts'
import { orClosed } from './or-closed.ts'

/** Files that callers read at the moment: at most so many, because each holds a connection. */
export function createOpenFiles<Opened extends { file: Readable }>(most: number) {
  const running = new Set<Promise<Opened>>()
  return {
    /** Nobody gets a file that cannot be recorded. 503 when too many are open. */
    open: async (make: () => Promise<Opened>, record: (opened: Opened) => Promise<void>): Promise<Opened> => {
      if (running.size >= most) throw errors.unavailable()
      const opening = make()
      running.add(opening)
      try {
        const opened = await opening
        opened.file.once('close', () => running.delete(opening))
        await orClosed(opened.file, () => record(opened))
        return opened
      } catch (error) {
        running.delete(opening)
        throw error
      }
    },
    close: async (): Promise<void> => {
      for (const opened of await Promise.allSettled(running))
        if (opened.status === 'fulfilled') opened.value.file.destroy(new Error('The process stops.'))
    },
  }
}
