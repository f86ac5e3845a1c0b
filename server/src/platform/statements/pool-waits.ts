import type { Pool, PoolClient } from 'pg'

type Lend = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void

/** The wait is in seconds, also if it was given up. */
export function watchWaits(pool: Pool, waited: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool)
  const timed = (lend?: Lend) => {
    const from = performance.now()
    const end = () => waited((performance.now() - from) / 1_000)
    if (lend !== undefined)
      return connect((error, client, done) => {
        end()
        lend(error, client, done)
      })
    const lent = connect()
    lent.then(end, end)
    return lent
  }
  pool.connect = timed as typeof pool.connect
}
