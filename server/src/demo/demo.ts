import type { Deps } from '../deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { fromNow } from '../shared/clock.ts'
import { countDemoCampaigns, insertDemoCampaign, insertDemoPeople, isEmptyOfUsers } from './demo.queries.ts'

const PEOPLE = 400
const DAY_MS = 86_400_000

/** Every demonstration account has this password; they exist in a trial only. */
const DEMO_PASSWORD = 'swap and be happy'

// Oldest first. `open` is the share of delivered copies that people tapped, in percent.
const CAMPAIGNS = [
  {
    daysAgo: 21,
    open: 31,
    title: 'Spring clean-up',
    body: 'List three things you no longer need and find them a home.',
  },
  { daysAgo: 12, open: 24, title: 'Swap weekend', body: 'Two days, no fees, and a meeting point near you.' },
  { daysAgo: 5, open: 18, title: 'New in your area', body: 'People nearby listed 120 things this week.' },
]

/**
 * Fills a database that holds nobody but administrators with people, phones and past campaigns, the same each time.
 * Does nothing in any other.
 */
export async function seedDemoData(deps: Pick<Deps, 'db' | 'clock' | 'passwords' | 'log'>): Promise<void> {
  if (!(await isEmptyOfUsers(deps.db))) return
  const passwordHash = await deps.passwords.hash(DEMO_PASSWORD)
  await inTransaction(deps.db, async (tx) => {
    if (!(await isEmptyOfUsers(tx))) return
    await insertDemoPeople(tx, { people: PEOPLE, passwordHash, now: fromNow(deps.clock) })
    for (const { daysAgo, ...campaign } of CAMPAIGNS)
      await insertDemoCampaign(tx, { ...campaign, sentAt: fromNow(deps.clock, -daysAgo * DAY_MS) })
    await countDemoCampaigns(tx)
  })
  deps.log.info({ people: PEOPLE, campaigns: CAMPAIGNS.length }, 'demonstration data is in place')
}
