export type Ending = ReturnType<typeof createEnding>

/** The names of the parts that a stop still waits for. The log shows them when a stop takes too long. */
export function createEnding() {
  const open: string[] = []
  const until = async <T>(name: string, ended: Promise<T>): Promise<T> => {
    open.push(name)
    try {
      return await ended
    } finally {
      open.splice(open.indexOf(name), 1)
    }
  }
  return { waitsFor: () => [...open], until }
}
