// Slow: a second or more for each test, or five for the file.
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Deps } from '../../deps.ts'
import { startOfDay } from '../../platform/shared/zones.ts'
import { SWAP_STATUSES } from '../../platform/shared/words.ts'
import type { SwapFilter } from './swap-report.queries.ts'
import { keepSwapTallies, summariseSwaps, sumSwaps } from './swap-summary.ts'
import { rebuildSwapTallies } from './swap-tallies.queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.UTC(2026, 2, 20)
const ANSWERED = new Set<SwapStatus>(['countered', 'accepted', 'completed', 'declined', 'cancelled', 'disputed'])
const ACCEPTED = new Set<SwapStatus>(['accepted', 'completed', 'cancelled', 'disputed'])

type Row = {
  status: SwapStatus
  origin: 'request' | 'match'
  created_at: Date
  responded_at: Date | null
  accepted_at: Date | null
  completed_at: Date | null
}

const moment = fc.integer({ min: 0, max: 80 * 24 * 60 }).map((minutes) => START + minutes * 60_000)
const hours = fc.oneof(fc.double({ min: 0, max: 14, noNaN: true }), fc.double({ min: 0, max: 1_000, noNaN: true }))

function at(ms: number): Date {
  return new Date(Math.floor(ms))
}

const row = fc
  .record({
    status: fc.constantFrom(...SWAP_STATUSES),
    origin: fc.constantFrom('request' as const, 'match' as const),
    created: moment,
    answered: hours,
    done: hours,
  })
  .map(({ status, origin, created, answered, done }): Row => {
    const responded = at(created + answered * HOUR_MS)
    return {
      status,
      origin,
      created_at: at(created),
      responded_at: ANSWERED.has(status) ? responded : null,
      accepted_at: ACCEPTED.has(status) ? responded : null,
      completed_at: status === 'completed' ? at(responded.getTime() + done * HOUR_MS) : null,
    }
  })

const day = fc
  .record({
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'),
    plus: fc.integer({ min: -2, max: 90 }),
  })
  .map(({ zone, plus }) => startOfDay('2026-03-20', zone, plus))
const bound = fc.option(
  fc.oneof(
    day,
    moment.map((ms) => new Date(ms)),
  ),
  { nil: undefined },
)

const filter = fc
  .record({
    basis: fc.constantFrom('created' as const, 'accepted' as const, 'completed' as const),
    origin: fc.option(fc.constantFrom('request' as const, 'match' as const), { nil: undefined }),
    from: bound,
    to: bound,
  })
  .map((wanted): SwapFilter => {
    if (wanted.from && wanted.to && wanted.from > wanted.to) return { ...wanted, from: wanted.to, to: wanted.from }
    return wanted.from || wanted.to ? wanted : { ...wanted, basis: 'created' }
  })

const change = fc.record({
  rows: fc.array(row, { maxLength: 40 }),
  what: fc.constantFrom('nothing', 'fold', 'rebuild', 'delete some', 'move some'),
})

describe('the summary of swaps', () => {
  test('equals the rows, whatever was stored, changed, deleted, folded and rebuilt before', async ({ deps }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.array(filter, { minLength: 3, maxLength: 6 }),
        async (changes, filters) => {
          for (const { rows, what } of changes) {
            await store(deps, rows)
            await happen(deps, what)
          }
          const stored = await allRows(deps)
          for (const wanted of filters)
            expect(await summariseSwaps(deps.db, wanted)).toEqual(toExpected(stored, wanted))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is the same before and after it is folded, by five at once', async ({ deps }) => {
    await store(deps, fc.sample(row, { numRuns: 200, seed: 1 }))
    const before = await summariseSwaps(deps.db, { basis: 'created' })
    await Promise.all(Array.from({ length: 5 }, () => keepSwapTallies(deps)))
    expect(await deps.db.selectFrom('swap_tally_changes').selectAll().execute()).toEqual([])
    expect(await summariseSwaps(deps.db, { basis: 'created' })).toEqual(before)
  })

  test('stays right when swaps change while the tallies are folded and rebuilt', async ({ deps }) => {
    const writing = Promise.all(fc.sample(row, { numRuns: 60, seed: 2 }).map((one) => store(deps, [one])))
    const keeping = (async () => {
      for (let i = 0; i < 8; i++) await (i % 2 === 0 ? rebuildSwapTallies(deps.db) : keepSwapTallies(deps))
    })()
    await Promise.all([writing, keeping])
    const wanted: SwapFilter = { basis: 'created' }
    expect(await summariseSwaps(deps.db, wanted)).toEqual(toExpected(await allRows(deps), wanted))
  })

  test('of no swaps has zeros, and no rate and no medians', () => {
    expect(sumSwaps([])).toEqual({
      by_status: Object.fromEntries(SWAP_STATUSES.map((status) => [status, 0])),
      total: 0,
      completion_rate: null,
      median_hours_to_response: null,
      median_hours_to_complete: null,
    })
  })
})

async function store({ db }: Deps, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('swaps')
    .values(
      rows.map((swap) => ({
        ...swap,
        requester_confirmed_at: swap.completed_at,
        owner_confirmed_at: swap.completed_at,
        expires_at: new Date(swap.created_at.getTime() + 7 * DAY_MS),
        updated_at: swap.created_at,
      })),
    )
    .execute()
}

async function happen(deps: Deps, what: string): Promise<void> {
  if (what === 'fold') await keepSwapTallies(deps)
  if (what === 'rebuild') await rebuildSwapTallies(deps.db)
  if (what === 'delete some') await deps.pool.query('delete from swaps where swap_id % 3 = 0')
  if (what === 'move some')
    await deps.pool.query(
      `update swaps set status = 'declined', responded_at = coalesce(responded_at, created_at + interval '3 hours')
       where status = 'pending' and swap_id % 2 = 0`,
    )
}

async function allRows({ db }: Deps): Promise<Row[]> {
  return db
    .selectFrom('swaps')
    .select(['status', 'origin', 'created_at', 'responded_at', 'accepted_at', 'completed_at'])
    .execute()
}

/** The summary as the record says it (ADR 14), out of all rows. */
function toExpected(rows: Row[], { basis, origin, from, to }: SwapFilter) {
  const chosen = rows.filter((swap) => {
    const when = swap[`${basis}_at`]
    const isWithin = when === null ? !from && !to : (!from || when >= from) && (!to || when < to)
    return isWithin && (origin === undefined || swap.origin === origin)
  })
  const by_status = Object.fromEntries(
    SWAP_STATUSES.map((status) => [status, chosen.filter((swap) => swap.status === status).length]),
  )
  return {
    by_status,
    total: chosen.length,
    completion_rate: chosen.length === 0 ? null : Math.round((by_status['completed']! / chosen.length) * 1e4) / 1e4,
    median_hours_to_response: median(chosen.map((swap) => hoursFrom(swap, swap.responded_at))),
    median_hours_to_complete: median(chosen.map((swap) => hoursFrom(swap, swap.completed_at))),
  }
}

function hoursFrom({ created_at }: Row, later: Date | null): number | null {
  if (later === null) return null
  const exact = (later.getTime() - created_at.getTime()) / HOUR_MS
  const step = exact < 12 ? 0.25 : exact < 72 ? 1 : exact < 720 ? 6 : 24
  return Math.floor(exact / step) * step
}

function median(times: (number | null)[]): number | null {
  const sorted = times.filter((time) => time !== null).toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}
