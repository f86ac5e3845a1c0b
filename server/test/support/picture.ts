import { Client } from 'pg'
import { expect } from 'vitest'
import { selectOwnData } from '../../src/administration/own-data/own-data.queries.ts'
import { DIVIDED } from './citus.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

type Lines = Record<string, string[]>

const SUMMED = ['message_counts', 'provider_counts', 'way_counts', 'push_counts']
const SPLIT = ['batches', 'work', 'requests']

/** What of the ledger and the inbox stays whatever the home: people with their batch, copies, what waits of each. */
const ROWS: Record<string, string> = {
  copies: `select to_jsonb(n) - 'home' as row from notifications n`,
  people: `select jsonb_build_array(message_id, batch_id, user_id, place) as row
    from batches cross join unnest(user_ids) with ordinality u(user_id, place) where user_id > 0`,
  work: `select to_jsonb(w) - '{home,places}'::text[] || jsonb_build_object('place', place, 'who',
      case when w.provider is null then b.user_ids[1 + place] else b.device_ids[1 + place] end) as row
    from work w join batches b on b.home = w.home and b.batch_id = w.batch_id cross join unnest(w.places) place`,
  ...Object.fromEntries(
    DIVIDED.filter((name) => !SUMMED.includes(name) && !SPLIT.includes(name)).map((name) => [
      name,
      `select to_jsonb(t) - 'home' as row from ${name} t`,
    ]),
  ),
}

type Request = { batch_ids: number[]; sizes: number[]; places: number[]; rounds: string; request_id: number }

/** All rows, where homes leave no trace. */
export async function readRows(url: string): Promise<Lines> {
  const client = new Client(url)
  await client.connect()
  const list = async (statement: string) =>
    (await client.query<{ row: unknown }>(statement)).rows.map(({ row }) => JSON.stringify(row)).toSorted()
  const lines: Lines = {}
  for (const [name, statement] of Object.entries(ROWS)) lines[name] = await list(statement)
  for (const name of SUMMED) lines[name] = sumUp(await client.query(`select to_jsonb(t) as row from ${name} t`))
  const asked = await client.query<{ row: Request }>(`select to_jsonb(r) - 'home' as row from requests r`)
  lines['requests'] = asked.rows.flatMap(({ row }) => toCopies(row)).toSorted()
  const others = await client.query<{ name: string }>(
    `
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> all($1) and relname !~ '_\\d{6}$'`,
    [[...DIVIDED, 'division', 'two_phases', 'home_messages']],
  )
  for (const { name } of others.rows)
    lines[name] = await list(`select to_jsonb(t) - 'home_cursors' as row from ${name} t`)
  await client.end()
  return lines
}

/** Sums by what is no number of the row, over homes and slots. */
function sumUp({ rows }: { rows: { row: Record<string, unknown> }[] }): string[] {
  const sums = new Map<string, Record<string, number>>()
  for (const { row } of rows) {
    const { home: _, slot: __, message_id, provider, other, bucket, ...counts } = row
    const key = JSON.stringify([message_id, provider, other, bucket])
    const sum = sums.get(key) ?? {}
    for (const [name, n] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(n)
    sums.set(key, sum)
  }
  return Array.from(sums, ([key, sum]) => `${key} ${JSON.stringify(sum)}`).toSorted()
}

/** A line a copy. */
function toCopies({ batch_ids, sizes, places, rounds, ...request }: Request): string[] {
  const batches = batch_ids.flatMap((batchId, n) => Array<number>(sizes[n]!).fill(batchId))
  expect(batches).toHaveLength(places.length)
  return places.map((place, n) => JSON.stringify([request, batches[n], place, rounds.slice(2 + 2 * n, 4 + 2 * n)]))
}

type Shown = { people: GivenUser[]; messageIds: number[]; admin: GivenUser }

const FILTERS = [
  '',
  '&sort_order=desc&page=2',
  '&status=sent',
  '&status=delivered',
  '&status=failed',
  '&status=opened',
  '&name=Crowd 7',
  '&platform=android',
]
const PEOPLE_FILTERS = ['', '&status=failed', '&status=skipped', '&platform=android', '&search=crowd-77']

/** What people and administrators are shown; of long lists the first pages. */
export async function readPages(service: Service, { people, messageIds, admin }: Shown): Promise<Lines> {
  const { app, deps } = service
  const pages: Lines = {}
  const see = async (url: string, { headers }: GivenUser) => {
    const bodies: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? url : `${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}`
      const answer = await app.inject({ url: more, headers })
      expect([more, answer.statusCode]).toEqual([more, 200])
      bodies.push(answer.body)
      cursor = answer.json<{ next_cursor?: string | null }>().next_cursor ?? null
    }
    pages[url] = bodies
    return bodies
  }
  for (const person of people) {
    const inbox: string[] = []
    for (const url of ['v1/inbox', 'v1/inbox?state=unread', 'v1/inbox?state=archived', 'v1/badge', 'notification'])
      inbox.push(...(await see(`/api/${url}`, person)))
    pages[`what ${person.userId} is shown`] = inbox
    const own = await selectOwnData(deps.db, person.userId, new Date(0)).execute(deps.db)
    // The account says when the person was active last, which is stored some time later.
    const lines = own.rows.flatMap((row) => Object.values(row as Record<string, string>))
    pages[`own data of ${person.userId}`] = lines.filter((line) => !line.startsWith('0:')).toSorted()
    await see(`/api/admin/users/${person.userId}/notifications`, admin)
  }
  await see('/api/admin/promotional-notifications', admin)
  for (const id of messageIds) {
    const report = `/api/admin/notifications/${id}`
    for (const filter of FILTERS) await see(encodeURI(`${report}?per_page=100${filter}`), admin)
    for (const filter of PEOPLE_FILTERS) await see(`${report}/people?limit=100${filter}`, admin)
  }
  return pages
}

/** Counting takes longer where there are several homes, and a total may be an estimate there, so it may differ. */
export function withoutEstimates(bodies: readonly string[], others: readonly string[]): string[] {
  return bodies.map((body, n) =>
    [body, others[n]].some((one) => one?.includes('"total_is_estimate":true'))
      ? body.replace(/"pagination":\{[^}]*\}/, '')
      : body,
  )
}
