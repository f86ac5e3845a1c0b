import { randomUUID } from 'node:crypto'
import type { Deps } from '../../server/src/deps.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import { fromNow } from '../../server/src/platform/shared/clock.ts'
import {
  advanceIds,
  countRows,
  largestIds,
  prepareSession,
  putBack,
  dropIndexes,
  vacuumFilled,
} from './bulk.queries.ts'
import type { Dataset } from './dataset.ts'
import { findStaff, isEmptyOfUsers } from './demo.queries.ts'
import { insertPlans } from './activity-rows.queries.ts'
import { yearUntil } from './random.queries.ts'
import { fill, STEPS, type Step } from './fill.ts'
import { insertCategories } from './products.queries.ts'
import { PRODUCTS_FOR_EACH_SWAP } from './swaps.queries.ts'
import { WORDS } from './words.ts'

/**
 * How much to make: users, and rows of activity (days of users, swaps and their changes, chat messages, likes).
 * `atOnce` users, products or swaps are made by one statement (50,000); it changes nothing of what is made.
 */
export type Load = { users: number; activity: number; atOnce?: number }

const AT_ONCE = 50_000

/** What was made: rows by table, how many of them are activity, and the seconds it took. */
type LoadReport = { rows: Record<string, number>; activity: number; seconds: number }

/** How far a load is: what it is at, and the share (0 to 1) of the whole that is done, by the time that it takes. */
export type LoadProgress = { step: Step | 'indexes and keys'; done: number }

/** What share of the time each step takes (measured with 400,000 and 2,000,000 users), in their order. */
const EFFORTS: Record<LoadProgress['step'], number> = {
  'people and their days': 0.18,
  products: 0.11,
  'swaps and what was said': 0.06,
  'likes, subscriptions and reports': 0.05,
  'indexes and keys': 0.6,
}

const ACTIVITY = ['user_activity_day', 'swaps', 'state_changes', 'swap_messages', 'likes']

/**
 * Fills a database that holds nobody but administrators with users and a year of their activity, for measuring. All of
 * it or nothing: one transaction, and time proportional to the load. `say` hears how far it is. Refuses, with a
 * sentence for the operator, where NODE_ENV is production and where there are users.
 */
export async function generateLoad(
  deps: Pick<Deps, 'db' | 'clock' | 'passwords' | 'config'>,
  load: Load,
  say: (progress: LoadProgress) => void,
): Promise<LoadReport | { refused: string }> {
  if (deps.config.NODE_ENV === 'production')
    return { refused: 'This command does not run in production (NODE_ENV=production).' }
  if (!(await isEmptyOfUsers(deps.db))) return { refused: 'The database already has users other than administrators.' }
  const startedAt = performance.now()
  const passwordHash = await deps.passwords.hash(randomUUID())
  await inTransaction(deps.db, async (tx) => {
    await prepareSession(tx)
    const dataset: Dataset = {
      ...sizesOf(load),
      year: yearUntil(fromNow(deps.clock)),
      after: await largestIds(tx),
      accounts: 'load',
      passwordHash,
      words: WORDS,
      staff: await findStaff(tx),
      goodCategories: await insertCategories(tx, WORDS),
      plans: await insertPlans(tx),
      atOnce: load.atOnce ?? AT_ONCE,
    }
    const aside = await dropIndexes(tx)
    await fill(tx, dataset, (step, share) => say({ step, done: doneAt(step, share) }))
    const step = 'indexes and keys'
    await putBack(tx, aside, (share) => say({ step, done: doneAt(step, share) }))
    await advanceIds(tx)
  })
  await vacuumFilled(deps.db)
  const rows = await countRows(deps.db)
  const activity = ACTIVITY.reduce((sum, table) => sum + (rows[table] ?? 0), 0)
  return { rows, activity, seconds: Math.round((performance.now() - startedAt) / 1_000) }
}

/** The share of the whole that is done when `share` of a step is. */
function doneAt(step: LoadProgress['step'], share: number): number {
  const steps = [...STEPS, 'indexes and keys'] as const
  const before = steps.slice(0, steps.indexOf(step)).reduce((sum, earlier) => sum + EFFORTS[earlier], 0)
  return before + EFFORTS[step] * share
}

/**
 * Of ten rows of activity seven are days. The constants bring the means of what is drawn to what is asked for, at about
 * ten rows for each user; at other ratios the sum is less exact.
 */
function sizesOf({ users, activity }: Load) {
  const swaps = Math.max(1, Math.min(Math.round((activity * 0.03) / 0.68), Math.floor(users * 0.4)))
  return {
    users,
    swaps,
    products: Math.max(Math.round(users * 1.5), swaps * PRODUCTS_FOR_EACH_SWAP),
    furtherDays: (activity / users) * 0.62,
    chats: 3,
    likes: (activity / users) * 0.1,
  }
}
