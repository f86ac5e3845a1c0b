// For CI: torture, the demonstration or the load.
import { describe, expect } from 'vitest'
import { test as base } from '../../server/test/support/app.ts'
import { watchPlans } from '../../server/test/support/plans.ts'
import { startService } from '../../server/test/support/service.ts'
import { TRUTHS } from '../../server/test/support/truths.ts'
import type { Deps } from '../../server/src/deps.ts'
import { generateLoad, type LoadProgress } from './generate-load.ts'
import { progressLine, runGenerateLoad } from './load-command.ts'

const LOAD = { users: 3_000, activity: 30_000 }
const silent = () => undefined

const test = base.extend<'load', { deps: Deps; before: unknown[]; said: LoadProgress[] }>(
  'load',
  { scope: 'file' },
  async ({ service: { deps, given } }) => {
    await given.admin()
    const before = await readKeys(deps)
    const said: LoadProgress[] = []
    await generateLoad(deps, LOAD, (progress) => said.push(progress))
    return { deps, before, said }
  },
)

describe('in a generated load', () => {
  test.for(TRUTHS)('%s', async ([, contradictions], { load: { deps } }) => {
    const now = new Date(deps.clock.now())
    const { rows } = await deps.pool.query(`with given as (select $1::timestamptz) ${contradictions}`, [now])
    expect(rows).toEqual([])
  })

  test('there are as many users as asked for, and about as many rows of activity', async ({ load: { deps } }) => {
    const { rows } = await deps.pool.query<{ users: number; activity: number }>(
      `select (select count(*) from users where role = 'user')::int as users,
         (select count(*) from user_activity_day)::int + (select count(*) from swaps)::int + (select count(*) from state_changes)::int
           + (select count(*) from swap_messages)::int + (select count(*) from likes)::int as activity`,
    )
    expect(rows[0]?.users).toBe(LOAD.users)
    expect(rows[0]?.activity).toBeGreaterThan(LOAD.activity * 0.85)
    expect(rows[0]?.activity).toBeLessThan(LOAD.activity * 1.15)
  })

  test('the share done rises with each step up to 1', ({ load: { said } }) => {
    const shares = said.map(({ done }) => done)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares[0]).toBeLessThan(0.5)
    expect(shares.at(-1)).toBeCloseTo(1)
    expect(new Set(said.map(({ step }) => step)).size).toBe(6)
  })

  test('every index and key is back, and ids continue after it', async ({ load: { deps, before }, given }) => {
    expect(await readKeys(deps)).toEqual(before)
    const { rows } = await deps.pool.query<{ last: number }>('select max(user_id) as last from users')
    const { userId } = await given.user()
    expect(userId).toBeGreaterThan(rows[0]?.last ?? 0)
  })

  test('a second one is refused, as in any database that holds users', async ({ load: { deps } }) => {
    expect(await generateLoad(deps, LOAD, silent)).toEqual({
      refused: 'The database already has users other than administrators.',
    })
    expect(await runGenerateLoad(deps, { users: '5', activity: '5' })).toMatchObject({ isGood: false })
  })
})

test('it is the same for any ranges and after any interruption', async ({ load: { deps }, clock }) => {
  const other = await startService()
  try {
    await other.given.admin()
    const made = { ...other.deps, clock }
    for (const [step, done] of INTERRUPTIONS)
      await expect(generateLoad(made, { ...LOAD, atOnce: 317 }, failAt(step, done))).rejects.toThrow(
        'The power is out.',
      )
    const { text } = await runGenerateLoad({ ...deps, ...made }, { users: '9', activity: '9' })
    expect(text).toMatch(/^An earlier load was interrupted; the rest of it took \d+ s:\n  users +3001\n/)
    expect(await readDigest(other.deps)).toEqual(await readDigest(deps))
    expect(await readKeys(other.deps)).toEqual(await readKeys(deps))
  } finally {
    await other.close()
  }
})

test('one at a time fills a database', async () => {
  const other = await startService()
  try {
    const load = { users: 50, activity: 500 }
    const second: Promise<unknown>[] = []
    await generateLoad(other.deps, load, () => {
      if (second.length === 0) second.push(generateLoad(other.deps, load, silent))
    })
    expect(await second[0]).toEqual({ refused: 'Another process fills this database now.' })
  } finally {
    await other.close()
  }
})

test('likes and reports look rows up one by one, so that no range reads a whole table', async () => {
  const other = await startService()
  await other.given.admin()
  const watch = await watchPlans(other)
  try {
    await generateLoad(watch.deps, { users: 2_000, activity: 20_000, atOnce: 200 }, silent)
    const plans = watch.plans.filter((plan) =>
      /insert into (?:product_reports|likes)[^]*(?:likable|reporter)/.test(plan),
    )
    expect(plans.length).toBeGreaterThan(20)
    expect(plans.filter((plan) => /Hash Join|Merge Join|Seq Scan on likable/.test(plan))).toEqual([])
  } finally {
    await watch.close()
    await other.close()
  }
})

test('it is refused in production', async ({ deps }) => {
  const config = { ...deps.config, NODE_ENV: 'production' as const }
  const { refused } = (await generateLoad({ ...deps, config }, LOAD, silent)) as { refused: string }
  expect(refused).toContain('production')
})

test.for([
  {},
  { users: '0', activity: '10' },
  { users: '10', activity: '1e12' },
  { users: 'many', activity: '10' },
  { users: true },
])('the command asks for numbers when it is given %j', async (options, { deps }) => {
  const answer = await runGenerateLoad(deps, options)
  expect(answer).toMatchObject({ isGood: false, text: expect.stringContaining('--users') })
})

test.for<[string, LoadProgress, number]>([
  ['35 % done, about 13 min left: people and their days', { step: 'people and their days', done: 0.35 }, 420],
  ['99 % done, about 4 s left: indexes and keys', { step: 'indexes and keys', done: 0.99 }, 400],
])('how far it is reads %s', ([line, progress, seconds]) => {
  expect(progressLine(progress, seconds)).toBe(line)
})

const INTERRUPTIONS: [LoadProgress['step'], number][] = [
  ['people and their days', 0.05],
  ['swaps and what was said', 0],
  ['likes, subscriptions and reports', 0.42],
  ['listings', 0.5],
  ['indexes and keys', 0.6],
  ['indexes and keys', 0.9],
]

function failAt(where: LoadProgress['step'], from: number) {
  return ({ step, done }: LoadProgress) => {
    if (step === where && done >= from) throw new Error('The power is out.')
  }
}

/** Tables, indexes, constraints and triggers, each with whether it is valid or enabled. */
async function readKeys({ pool }: Deps): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select pg_get_indexdef(indexrelid) || ' ' || indisvalid as key from pg_index join pg_class on oid = indexrelid
       where relnamespace = 'public'::regnamespace
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select pg_get_triggerdef(t.oid) || ' ' || tgenabled::text from pg_trigger t where not tgisinternal
     union all select attrelid::regclass || ' ' || attnum || ' ' || attstattarget from pg_attribute where attstattarget > 0
     union all select oid::regclass || ' ' || relpersistence::text from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by 1`,
  )
  return rows
}

async function readDigest({ pool }: Deps): Promise<unknown> {
  const parts = [
    `select 'days', sum(hashtextextended(t::text, 0)) from user_activity_day t`,
    `select 'products', sum(hashtextextended(t::text, 0)) from products t`,
    `select 'swaps', sum(hashtextextended(t::text, 0)) from swaps t`,
    `select 'items', sum(hashtextextended(t::text, 0)) from swap_items t`,
    `select 'likes', sum(hashtextextended(t::text, 0)) from likes t`,
    `select 'matches', sum(hashtextextended(t::text, 0)) from matches t`,
    `select 'listings', sum(hashtextextended(t::text, 0)) from listings t`,
    `select 'exits', sum(hashtextextended(t::text, 0)) from activity_exit_day t`,
    `select 'said', sum(hashtextextended(swap_id || body || created_at, 0)) from swap_messages`,
  ]
  const { rows } = await pool.query(parts.join(' union all '))
  return rows
}
