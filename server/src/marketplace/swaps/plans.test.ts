// For CI: query plans on tables of up to a million rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitAs } from '../../../test/support/commit.ts'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { listDisputes } from '../../administration/cases/disputes.ts'
import type { Deps } from '../../deps.ts'
import type { Work } from '../../platform/work/work.ts'
import { readChat, readUpTo, sendSwapMessage } from '../chat/chat.ts'
import { moveSwap } from './move.ts'
import { requestSwap } from './propose.ts'
import { isOfStranger } from './swap-screens.queries.ts'
import { listOwnSwaps, presentSwap, showOwnSwap } from './swap-screens.ts'

const LARGE = [
  'users',
  'swaps',
  'swap_items',
  'swap_rounds',
  'swap_messages',
  'chat_sides',
  'products',
  'state_changes',
]
/** This one of 20,000 people has a thousand swaps with a chat each. */
const BUSY = 1
const CHATS = 1_000

let service: Service
let watch: PlanWatch
let deps: Deps

beforeAll(async () => {
  service = await startService()
  await fill(service.deps)
  await service.deps.pool.query('vacuum analyze')
  watch = await watchPlans(service)
  ;({ deps } = watch)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

const READS: [what: string, index: string, read: () => Promise<unknown>][] = [
  ['their swaps', 'swaps_requester', () => listOwnSwaps(deps.db, BUSY, { by: 'created', limit: 21 })],
  [
    'their open swaps',
    'swaps_requester_open',
    () => listOwnSwaps(deps.db, BUSY, { by: 'created', state: 'open', limit: 21 }),
  ],
  [
    'what waits for them',
    'swaps_requester_open|swaps_pkey',
    () => listOwnSwaps(deps.db, BUSY, { by: 'created', state: 'waiting_for_me', limit: 21 }),
  ],
  [
    'their old swaps, further on',
    'swaps_requester|swaps_pkey',
    () => listOwnSwaps(deps.db, BUSY, { by: 'created', state: 'done', after: [500], limit: 21 }),
  ],
  [
    'their conversations by activity, of which some are unread',
    'swap_messages_swap',
    () => listOwnSwaps(deps.db, BUSY, { by: 'activity', isUnread: true, activeSince: new Date(0), limit: 21 }),
  ],
  ['one swap', 'swap_messages_swap', () => showOwnSwap(deps.db, { userId: BUSY, swapId: 7, lines: 21 })],
  [
    'older lines',
    'swap_messages_swap',
    () => readChat(deps.db, { swapId: 7, userId: BUSY, before: 60_000, limit: 21 }),
  ],
  ['newer lines', 'swap_messages_swap', () => readChat(deps.db, { swapId: 7, userId: BUSY, after: 60_000, limit: 21 })],
  ['whether a product is a stranger’s', 'swaps_agreed', () => isOfStranger(deps.db, BUSY, 500)],
  ['the desk of disputes', 'swap_disputes_open', () => listDisputes(deps, { perPage: 20, offset: 0 })],
]

test.for(READS)('%s: a person with a thousand chats finds them by %s', async ([, index, read]) => {
  await expectNoScan(read)
  expect(watch.plans.join('\n')).toMatch(new RegExp(`(?:using|on) (?:${index}) `))
})

test('writing, reading, proposing and accepting read no table from end to end', async () => {
  await expectNoScan(() => commitAs({ userId: BUSY + 7 }, deps, sendSwapMessage, { swapId: 7, text: 'Hello' }))
  await expectNoScan(() => commitAs({ userId: BUSY }, deps, readUpTo, { swapId: 7, messageId: 60_000 }))
  const proposal = { offered: [BUSY], requested: [15_000] }
  const { swap_id: swapId } = await commitAs({ userId: BUSY }, deps, requestSwap, { proposal })
  const accept = async (work: Work) => presentSwap(work, await moveSwap(work, { swapId, move: 'accept' }))
  await expectNoScan(() => commitAs({ userId: 15_000 }, deps, accept))
})

async function expectNoScan(work: () => Promise<unknown>): Promise<void> {
  watch.plans.length = 0
  await work()
  expect(watch.plans.length).toBeGreaterThan(0)
  expect(scannedBy(watch.plans).filter((table) => LARGE.includes(table))).toEqual([])
}

async function fill({ db, clock }: Deps): Promise<void> {
  const now = new Date(clock.now())
  await sql`insert into users (user_id, username, email, name, password_hash) overriding system value
    select n, 'u' || n, 'u' || n || '@example.com', 'U', '' from generate_series(1, 20000) n`.execute(db)
  await sql`insert into categories (category_id, slug, name) overriding system value values (1, 'c', 'C')`.execute(db)
  await sql`insert into products (product_id, user_id, category_id, title, description, condition, status, submitted_at, created_at, updated_at)
    overriding system value
    select n, n, 1, 'P', '', 'good', 'active', ${now}, ${now}, ${now} from generate_series(1, 20000) n`.execute(db)
  await sql`select setval(pg_get_serial_sequence('swaps', 'swap_id'), 100000)`.execute(db)
  // One in fifty is open.
  await sql`insert into swaps (swap_id, requester_id, owner_id, status, expires_at, accepted_at, created_at, updated_at) overriding system value
    select n, case when n <= ${CHATS} then ${BUSY} else n end, case when n <= ${CHATS} then ${BUSY} + n else n + 1 end,
      case when n % 50 = 7 then case when n % 100 = 7 then 'accepted' else 'disputed' end else 'cancelled' end, ${now}, ${now}, ${now}, ${now}
    from generate_series(1, 19000) n`.execute(db)
  await sql`insert into swap_disputes (swap_id, opened_at) select swap_id, ${now} from swaps where status = 'disputed'`.execute(
    db,
  )
  await sql`insert into swap_items (swap_id, product_id, side)
    select swap_id, requester_id, 'offered' from swaps union all select swap_id, owner_id, 'requested' from swaps`.execute(
    db,
  )
  await sql`insert into swap_rounds (swap_id, round, proposed_by, offered, requested, created_at)
    select swap_id, 1, 'requester', array[requester_id], array[owner_id], ${now} from swaps`.execute(db)
  await sql`insert into swap_messages (swap_id, sender_id, body, created_at)
    select n, ${BUSY} + n, 'Hello', ${now} from generate_series(1, 200) i, generate_series(1, ${CHATS}::int) n`.execute(
    db,
  )
  await sql`insert into chat_sides (swap_id, user_id, received, unread)
    select n, ${BUSY}, 200, 200 from generate_series(1, ${CHATS}::int) n`.execute(db)
  await sql`insert into state_changes (entity, entity_id, to_state, actor, at)
    select 'swap', swap_id, status, 'user', ${now} from swaps`.execute(db)
}
