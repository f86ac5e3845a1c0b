import { randomUUID } from 'node:crypto'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import type { Deps } from '../../server/src/deps.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import { fromNow } from '../../server/src/platform/shared/clock.ts'
import { enqueue } from '../../server/src/platform/jobs/queue.ts'
import { largestIds, prepareSession } from './bulk.queries.ts'
import { countPushes, insertCampaign } from './campaigns.queries.ts'
import { countAllUnread } from './past-copies.ts'
import type { Dataset } from './dataset.ts'
import { findStaff, insertStaff, isEmptyOfUsers, lockFilling, type StaffMember } from './demo.queries.ts'
import { DEMO_PASSWORD } from './accounts.ts'
import { insertPlans } from './activity-rows.queries.ts'
import { yearUntil } from './random.queries.ts'
import { fill } from './fill.ts'
import { insertGroups, putSwapsIntoGroups } from './groups.queries.ts'
import { insertDecisions, insertHistory } from './history.queries.ts'
import { recordPast } from './past-audit.ts'
import { createLikable, dropScratch, insertCategories } from './products.queries.ts'
import { WORDS } from './words.ts'

const SIZES = { users: 2_000, products: 4_000, swaps: 1_000, furtherDays: 14, chats: 4, likes: 2.5 }
const DAY_MS = 86_400_000
const AUDITED_DAYS = 7

/** Nobody can sign in as one of these. */
const STAFF: readonly StaffMember[] = [
  { username: 'ruth', name: 'Ruth Amsel', role: 'admin' },
  { username: 'emeka', name: 'Emeka Obi', role: 'moderator' },
  { username: 'signe', name: 'Signe Holm', role: 'moderator' },
  { username: 'paolo', name: 'Paolo Conti', role: 'analyst' },
]

// Oldest first. `open` is the share of delivered copies that people tapped, in percent.
const CAMPAIGNS = [
  { daysAgo: 300, open: 38, title: 'Welcome to Swapbell', body: 'List the first thing that somebody else could use.' },
  { daysAgo: 245, open: 27, title: 'Less stuff, more room', body: 'What did you not touch all year?' },
  {
    daysAgo: 190,
    open: 33,
    title: 'Bicycles and balconies',
    body: 'The most wanted things of this month are outdoors.',
  },
  { daysAgo: 130, open: 21, title: 'Groups are here', body: 'Swap with your street, your school or your club.' },
  { daysAgo: 75, open: 16, title: 'Where your things went', body: 'See how many have found another home.' },
  {
    daysAgo: 21,
    open: 31,
    title: 'Spring clean-up',
    body: 'List three things you no longer need and find them a home.',
  },
  { daysAgo: 12, open: 24, title: 'Swap weekend', body: 'Two days, no fees, and a meeting point near you.' },
  { daysAgo: 5, open: 18, title: 'New in your area', body: 'People nearby listed 120 things this week.' },
]

type DemoDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'log' | 'auditKeys' | 'queue' | 'providers'>

/**
 * Fills a database that holds nobody but administrators with a marketplace of one year: people with phones and their
 * days, products, swaps, groups, what was reported and decided, past campaigns, and the audit log of the last week. The
 * same each time, but for the dates, which end now. Does nothing in any other.
 */
export async function seedDemoData(deps: DemoDeps): Promise<void> {
  if (!(await isEmptyOfUsers(deps.db))) return
  const startedAt = performance.now()
  const [passwordHash, staffHash] = await Promise.all([
    deps.passwords.hash(DEMO_PASSWORD),
    deps.passwords.hash(randomUUID()),
  ])
  const isSeeded = await inTransaction(deps.db, async (tx) => {
    await lockFilling(tx)
    if (!(await isEmptyOfUsers(tx))) return false
    await enqueue({ queue: deps.queue, tx }, 'refresh-insights', {})
    await insertMarketplace(deps, tx, { now: fromNow(deps.clock), passwordHash, staffHash })
    return true
  })
  const milliseconds = Math.round(performance.now() - startedAt)
  if (isSeeded) deps.log.info({ users: SIZES.users, milliseconds }, 'demonstration data is in place')
}

async function insertMarketplace(
  deps: DemoDeps,
  tx: Tx,
  seed: { now: Date; passwordHash: string; staffHash: string },
): Promise<void> {
  const { now, passwordHash } = seed
  await prepareSession(tx)
  const since = new Date(now.getTime() - 366 * DAY_MS)
  const [senderId = 0] = await insertStaff(tx, STAFF, { passwordHash: seed.staffHash, since })
  const dataset: Dataset = {
    ...SIZES,
    year: yearUntil(now),
    after: await largestIds(tx),
    accounts: 'demo',
    direct: findDirect(deps),
    passwordHash,
    words: WORDS,
    staff: await findStaff(tx),
    goodCategories: await insertCategories(tx, WORDS),
    plans: await insertPlans(tx),
    atOnce: SIZES.products,
  }
  await createLikable(tx)
  await fill(tx, dataset)
  await dropScratch(tx)
  await insertGroups(tx, dataset)
  await putSwapsIntoGroups(tx)
  await insertDecisions(tx, dataset)
  await insertHistory(tx, dataset)
  for (const { daysAgo, ...campaign } of CAMPAIGNS)
    await insertCampaign(tx, { ...campaign, senderId, now, sentAt: new Date(now.getTime() - daysAgo * DAY_MS) })
  await countPushes(tx)
  await countAllUnread(tx)
  await recordPast(tx, deps, { now, days: AUDITED_DAYS })
}

/** Browsers are not among them, because a push service knows those alone that registered with it. */
function findDirect({ providers }: DemoDeps): Dataset['direct'] {
  const findName = (type: string) =>
    providers.find(({ instance }) => instance.tokenType === type && instance.environment !== 'sandbox')?.provider.name
  const [ios, android] = [findName('apns'), findName('fcm')]
  return { ...(ios !== undefined && { ios }), ...(android !== undefined && { android }) }
}
