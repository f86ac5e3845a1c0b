import { randomUUID } from 'node:crypto'
import type { Deps } from '../../server/src/deps.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import { fromNow } from '../../server/src/platform/shared/clock.ts'
import { insertPlans } from './activity-rows.queries.ts'
import { countRows, largestIds, prepareSession } from './bulk.queries.ts'
import { countAllUnread } from './past-copies.ts'
import type { Dataset } from './dataset.ts'
import { findStaff, isEmptyOfUsers, lockFilling } from './demo.queries.ts'
import { WORKS, rangesOfWork, STEPS, type Step } from './fill.ts'
import { doStep } from './load-tasks.ts'
import { alone, dropTasks, findDataset, planTasks, setAside } from './load-tasks.queries.ts'
import { createLikable, dropScratch, insertCategories } from './products.queries.ts'
import { yearUntil } from './random.queries.ts'
import { PRODUCTS_FOR_EACH_SWAP } from './swaps.queries.ts'
import { WORDS } from './words.ts'

/**
 * How much to make: users, and rows of activity (days of users, swaps and their changes, chat messages, likes).
 * `atOnce` users, products or swaps are made by one statement (50,000); it changes nothing of what is made.
 */
export type Load = { users: number; activity: number; atOnce?: number }

const AT_ONCE = 50_000

/**
 * What was made: rows by table, how many of them are activity, and the seconds it took. `isResumed`: it finished an
 * earlier load.
 */
type LoadReport = { rows: Record<string, number>; activity: number; seconds: number; isResumed: boolean }

/** The progress of a load: its step, and the share (0 to 1) of its time that is done. */
export type LoadProgress = { step: Step; done: number }

/** What share of the time each step takes (measured with 1,000,000 users). */
const EFFORTS: Record<Step, number> = {
  'people and their days': 0.2,
  products: 0.08,
  'swaps and what was said': 0.11,
  'likes, subscriptions and reports': 0.05,
  listings: 0.11,
  'indexes and keys': 0.45,
}

const ACTIVITY = ['user_activity_day', 'swaps', 'state_changes', 'swap_messages', 'likes']

type LoadDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'config'>

/**
 * Fills a database that holds nobody but administrators with users and a year of their activity, for measuring, in time
 * proportional to the load. It goes on where an earlier call was interrupted, with what that one made. `say` hears how
 * far it is. Refuses, with a sentence for the operator, where NODE_ENV is production and where there are users.
 */
export async function generateLoad(
  deps: LoadDeps,
  load: Load,
  say: (progress: LoadProgress) => void,
): Promise<LoadReport | { refused: string }> {
  if (deps.config.NODE_ENV === 'production')
    return { refused: 'This command does not run in production (NODE_ENV=production).' }
  const outcome = await alone(deps.db, () => goOn(deps, load, say))
  return outcome ?? { refused: 'Another process fills this database now.' }
}

async function goOn(
  { db, ...deps }: LoadDeps,
  load: Load,
  say: (progress: LoadProgress) => void,
): Promise<LoadReport | { refused: string }> {
  const startedAt = performance.now()
  const earlier = await findDataset(db)
  const dataset = earlier ?? (await beginLoad({ db, ...deps }, load))
  if (dataset === undefined) return { refused: 'The database already has users other than administrators.' }
  let before = 0
  for (const step of STEPS) {
    await doStep(db, dataset, step, (share) => say({ step, done: before + EFFORTS[step] * share }))
    before += EFFORTS[step]
  }
  await inTransaction(db, async (tx) => {
    await prepareSession(tx)
    await countAllUnread(tx)
  })
  await dropScratch(db)
  await dropTasks(db)
  const rows = await countRows(db)
  const activity = ACTIVITY.reduce((sum, table) => sum + (rows[table] ?? 0), 0)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  return { rows, activity, seconds, isResumed: earlier !== undefined }
}

/** Describes the load and its steps; undefined: there are users. */
async function beginLoad(deps: LoadDeps, load: Load): Promise<Dataset | undefined> {
  const passwordHash = await deps.passwords.hash(randomUUID())
  return inTransaction(deps.db, async (tx) => {
    await lockFilling(tx)
    if (!(await isEmptyOfUsers(tx))) return undefined
    await prepareSession(tx)
    const dataset: Dataset = {
      ...computeSizes(load),
      year: yearUntil(fromNow(deps.clock)),
      after: await largestIds(tx),
      accounts: 'load',
      direct: {},
      passwordHash,
      words: WORDS,
      staff: await findStaff(tx),
      goodCategories: await insertCategories(tx, WORDS),
      plans: await insertPlans(tx),
      atOnce: load.atOnce ?? AT_ONCE,
    }
    const works = Object.entries(WORKS).map(([name, work]) => ({
      step: work.step,
      stage: work.stage,
      work: name,
      ranges: rangesOfWork(work, dataset),
    }))
    await planTasks(tx, dataset, works)
    await setAside(tx)
    await createLikable(tx)
    return dataset
  })
}

/**
 * Seven of ten rows of activity are days. The constants bring the means of what is drawn to what is asked for, at about
 * ten rows for each user; at other ratios the sum is less exact.
 */
function computeSizes({ users, activity }: Load) {
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
