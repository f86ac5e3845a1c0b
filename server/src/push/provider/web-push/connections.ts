import { LRUCache } from 'lru-cache'
import { Pool, type Dispatcher } from 'undici'
import { ORIGINS_MOST } from './origins.ts'

export type Connections = ReturnType<typeof createConnections>

// A connection that is silent for this share of the time limit of a push, or for these milliseconds, is given up.
const QUIET_SHARE = 0.9
const QUIET_MOST_MS = 9_000

/**
 * Undici (8.12) asks a connection for life only after a limit of its own, and a request here ends before: it would keep
 * one that swallows everything. `timeoutMs`: the time limit of a request.
 */
export function createConnections(options: Pool.Options, timeoutMs: number) {
  const quietMs = Math.min(timeoutMs * QUIET_SHARE, QUIET_MOST_MS)
  const all = new Set<Pool>()
  const leave = (pool: Pool) =>
    void pool.close().then(
      () => all.delete(pool),
      () => all.delete(pool),
    )
  const current = new LRUCache<string, Pool>({ max: ORIGINS_MOST, dispose: leave })
  const open = (origin: string): Pool => {
    const pool = new Pool(origin, options)
    all.add(pool)
    current.set(origin, pool)
    return pool
  }
  return {
    /**
     * Asks an origin over its connections. If the answer takes too long, later requests get new connections, and those
     * that are on their way end on the old ones.
     */
    use: async <Answer>(origin: string, ask: (dispatcher: Dispatcher) => Promise<Answer>): Promise<Answer> => {
      const pool = current.get(origin) ?? open(origin)
      const doubts = setTimeout(() => current.peek(origin) === pool && current.delete(origin), quietMs)
      try {
        return await ask(pool)
      } finally {
        clearTimeout(doubts)
      }
    },
    close: async (): Promise<void> => void (await Promise.all(Array.from(all, (pool) => pool.destroy()))),
  }
}
