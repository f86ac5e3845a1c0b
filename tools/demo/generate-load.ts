import { randomUUID } from 'node:crypto'
import type { Deps } from '../../server/src/deps.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import { fromNow } from '../../server/src/platform/shared/clock.ts'
import { advanceIds, countRows, largestIds, prepareSession } from './bulk.queries.ts'
import { rangesOf, type Dataset } from './dataset.ts'
import { findStaff, isEmptyOfUsers, lockFilling } from './demo.queries.ts'
import { insertPlans } from './activity-rows.queries.ts'
import { yearUntil } from './random.queries.ts'
import { fill, STEPS, type Step } from './fill.ts'
import { countExits, countLikes, insertListings } from './load-rows.queries.ts'
import { doTasks } from './load-tasks.ts'
import { hasTasks, putBack, setAside } from './load-tasks.queries.ts'
import { insertCategories } from './products.queries.ts'
import { PRODUCTS_FOR_EACH_SWAP } from './swaps.queries.ts'
import { WORDS } from './words.ts'

/**
 * How much to make: users, and rows of activity (days of users, swaps and their changes, chat messages, likes).
 * `atOnce` users, products or swaps are made by one statement (50,000); it changes nothing of what is made.
 */
export type Load = { users: number; activity: number; atOnce?: number }

const AT_ONCE = 50_000

/**
 * What was made: rows by table, how many of them are activity, and the seconds it took. `isResumed`: an earlier load was
 * finished, and nothing was made beside it.
 */
type LoadReport = { rows: Record<string, number>; activity: number; seconds: number; isResumed: boolean }

const LAST_STEPS = ['listings', 'indexes and keys'] as const

/** How far a load is: what it is at, and the share (0 to 1) of the whole that is done, by the time that it takes. */
export type LoadProgress = { step: Step | (typeof LAST_STEPS)[number]; done: number }

/** What share of the time each step takes, in their order. */
const EFFORTS: Record<LoadProgress['step'], number> = {
  'people and their days': 0.18,
  products: 0.08,
  'swaps and what was said': 0.06,
  'likes, subscriptions and reports': 0.05,
  listings: 0.08,
  'indexes and keys': 0.55,
}

const ACTIVITY = ['user_activity_day', 'swaps', 'state_changes', 'swap_messages', 'likes']

type LoadDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'config'>

/**
 * Fills a database that holds nobody but administrators with users and a year of their activity, for measuring, in time
 * proportional to the load. The rows are one transaction, all or none. After it indexes are made and keys are checked;
 * if that is interrupted, the next call does the rest of it and no more. `say` hears how far it is. Refuses, with a
 * sentence for the operator, where NODE_ENV is production and where there are users.
 */
export async function generateLoad(
  deps: LoadDeps,
  load: Load,
  say: (progress: LoadProgress) => void,
): Promise<LoadReport | { refused: string }> {
  if (deps.config.NODE_ENV === 'production')
    return { refused: 'This command does not run in production (NODE_ENV=production).' }
  const startedAt = performance.now()
  const isResumed = await hasTasks(deps.db)
  if (!isResumed && !(await insertRows(deps, load, say)))
    return { refused: 'The database already has users other than administrators.' }
  const step = 'indexes and keys'
  await doTasks(deps.db, (share) => say({ step, done: doneAt(step, share) }))
  const rows = await countRows(deps.db)
  const activity = ACTIVITY.reduce((sum, table) => sum + (rows[table] ?? 0), 0)
  return { rows, activity, seconds: Math.round((performance.now() - startedAt) / 1_000), isResumed }
}

/** Inserts all rows; false: there are users. */
async function insertRows(deps: LoadDeps, load: Load, say: (progress: LoadProgress) => void): Promise<boolean> {
  const passwordHash = await deps.passwords.hash(randomUUID())
  return inTransaction(deps.db, async (tx) => {
    await lockFilling(tx)
    if (!(await isEmptyOfUsers(tx))) return false
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
    const aside = await setAside(tx)
    await fill(tx, dataset, (step, share) => say({ step, done: doneAt(step, share) }))
    await countExits(tx, dataset)
    await countLikes(tx)
    const ranges = rangesOf(dataset.products, dataset.atOnce)
    for (const [index, range] of ranges.entries()) {
      await insertListings(tx, dataset, range)
      say({ step: 'listings', done: doneAt('listings', (index + 1) / ranges.length) })
    }
    await putBack(tx, aside)
    await advanceIds(tx)
    return true
  })
}

/** The share of the whole that is done when `share` of a step is. */
function doneAt(step: LoadProgress['step'], share: number): number {
  const steps = [...STEPS, ...LAST_STEPS]
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
