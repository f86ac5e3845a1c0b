import { setTimeout as sleep } from 'node:timers/promises'
import { startSessionPooler, startTransactionPooler, type PoolerGround } from '../grounds/pooler.ts'
import { standingOn } from '../scenario.ts'
import { playThrough } from '../through.ts'
import type { Plan, World, WorldWishes } from '../world.ts'

const AWAY_MS = 2_000

const wishes = ({ users }: Plan): WorldWishes => ({
  settings: {
    PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 100)),
    PUSH_TIMEOUT_SECONDS: '4',
    PUSH_LEASE_SECONDS: '20',
  },
  provider: { latencyMs: 150 },
})

/** The service reaches PostgreSQL through PgBouncer; each of its connections has one server connection. */
export const poolerSession = standingOn(startSessionPooler, {
  name: 'pooler-session',
  about: 'PgBouncer in session mode, restarted in the middle of a campaign and away for 2 s',
  wishes,
  play,
})

/** The same, but each transaction may use another server connection. */
export const poolerTransaction = standingOn(startTransactionPooler, {
  name: 'pooler-transaction',
  about: 'PgBouncer in transaction mode, restarted in the middle of a campaign and away for 2 s',
  wishes,
  play,
})

async function play(world: World, ground: PoolerGround) {
  return playThrough(world, { duplicates: 'none' }, async () => {
    await ground.restartPooler(AWAY_MS)
    await sleep(AWAY_MS)
    return {}
  })
}
