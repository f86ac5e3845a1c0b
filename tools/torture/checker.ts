import type { Pool } from 'pg'
import type { Audience } from './people.ts'
import { DIFFERING_HOMES } from '../../server/test/support/ledger.ts'
import { findProviderFaults } from './provider-counts.ts'
import type { Accepted, Provider } from './provider.ts'
import { formatList } from './report.ts'

/** The result for some messages: the database compared with what the provider accepted. */
export type Figures = {
  /** Notifications that must exist. */
  expected: number
  accepted: number
  /** Missing, or with neither a ticket nor a final state. */
  lost: number
  /** Accepted more than once: the copies beyond the first. */
  duplicated: number
  /** Duplicates as the service counts them. */
  possibleDuplicates: number
  /** Accepted without a notification, or for another token than the notification's. */
  unexpected: number
  /** `is_send` without that ticket in the provider's log. */
  phantom: number
  /** Ended as not sent although accepted, and not marked unknown. */
  untruthful: number
  skipped: Record<string, number>
  /** Notifications that ended as not sent, by code. */
  ended: Record<string, number>
}

export type Rules = {
  messageIds: number[]
  /** Absent: the audience changed meanwhile, and only selected = notified + skipped is checked. */
  audience?: Audience
  /**
   * `none`: no duplicates; `exact`: the counter equals them; `bounded`: the counter is at least as high. `summed`: the
   * database lost commits and reuses ids, so copies are found by their phone, for one message, and the counter is
   * compared with their sum.
   */
  duplicates: 'none' | 'exact' | 'bounded' | 'summed'
}

type Row = {
  notification_id: number
  message_id: number
  user_id: number
  token: string | null
  is_send: boolean
  ticket_id: string | null
  settled_at: Date | null
  error_message: string | null
  possible_duplicates: number
  attempts: number
}

// Decision B4. A push that certainly will not be accepted later may end earlier.
const ATTEMPTS = 4
const ENDS_AT_ONCE = new Set(['DeviceNotRegistered', 'MessageTooBig'])

/** Compares the database with the provider's log; returns the figures, and a sentence for each broken promise. */
export async function check(
  { pool, provider }: { pool: Pool; provider: Provider },
  rules: Rules,
): Promise<{ figures: Figures; faults: string[] }> {
  const rows = await readRows(pool, rules.messageIds)
  const counts = await readCounts(pool, rules.messageIds)
  const known = await readKnownIds(pool)
  const gone = rules.messageIds.length - (await countMessages(pool, rules.messageIds))
  const accepted = provider.accepted()
  const findCopies = copiesBy(accepted, rules)
  const doubled = (row: Row) => Math.max(findCopies(row).length - 1, 0)
  const expected = rules.audience ? rules.audience.devices * rules.messageIds.length : rows.length
  const open = rows.filter((row) => row.ticket_id === null && row.settled_at === null).length
  const unsent = rows.filter((row) => !row.is_send && row.settled_at !== null)
  const unexpected = listUnexpected(rows, accepted, { known, rules })
  const figures: Figures = {
    expected,
    accepted: sum(rows.map((row) => findCopies(row).length)),
    lost: open + Math.max(expected - rows.length, 0),
    duplicated: sum(rows.map(doubled)),
    possibleDuplicates: counts['possible_duplicates'] ?? 0,
    unexpected: unexpected.length,
    phantom: rows.filter(
      (row) => row.is_send && !findCopies(row).some(({ ticket }) => ticket === null || ticket === row.ticket_id),
    ).length,
    untruthful: unsent.filter((row) => row.error_message !== 'OutcomeUnknown' && findCopies(row).length > 0).length,
    skipped: countSkipped(counts),
    ended: tally(unsent.map((row) => row.error_message ?? 'no code')),
  }
  const faults = [
    ...(['lost', 'unexpected', 'phantom', 'untruthful'] as const).flatMap((name) =>
      figures[name] === 0 ? [] : [`${name} is ${figures[name]}`],
    ),
    ...(figures.lost > 0
      ? [`skipped: ${formatList(figures.skipped)}; ended unsent: ${formatList(figures.ended)}`]
      : []),
    ...(unexpected.length > 0 ? [`the first unexpected one: ${JSON.stringify(unexpected[0])}`] : []),
    ...duplicateFaults(rules, rows, doubled, counts['possible_duplicates'] ?? 0),
    ...(rules.audience ? earlyFaults(unsent) : []),
    ...countFaults(rules, rows, counts),
    ...(provider.providersFile === undefined ? [] : await findProviderFaults(pool, rules.messageIds)),
    // Counts stay when people go.
    ...(rules.audience ? await findDifferingHomes(pool, rules.messageIds) : []),
    ...(gone > 0 ? [`${gone} messages are gone that the API had taken`] : []),
    ...(rows.length > expected ? [`there are ${rows.length} notifications and not ${expected}`] : []),
  ]
  return { figures, faults }
}

/** The accepted pushes of a notification: by its id, or by its phone where ids were used twice. */
function copiesBy(accepted: Accepted[], { duplicates }: Rules): (row: Row) => Accepted[] {
  if (duplicates === 'summed') {
    const copies = Map.groupBy(accepted, (entry) => entry.token)
    return (row) => copies.get(row.token ?? '') ?? []
  }
  const copies = Map.groupBy(accepted, (entry) => Number(entry.notification_id))
  return (row) => copies.get(row.notification_id) ?? []
}

function listUnexpected(
  rows: Row[],
  accepted: Accepted[],
  { known, rules }: { known: Set<number>; rules: Rules },
): Accepted[] {
  if (rules.duplicates === 'summed') {
    const phones = new Set(rows.map((row) => row.token))
    return accepted.filter((entry) => !phones.has(entry.token))
  }
  const tokens = new Map(rows.map((row) => [row.notification_id, row.token]))
  const isAnothers = (id: number, token: string) => tokens.has(id) && tokens.get(id) !== token
  return accepted.filter((entry) => {
    const id = Number(entry.notification_id)
    return !known.has(id) || isAnothers(id, entry.token)
  })
}

function duplicateFaults({ duplicates }: Rules, rows: Row[], doubled: (row: Row) => number, counted: number): string[] {
  const all = sum(rows.map(doubled))
  if (duplicates === 'summed')
    return all > counted ? [`${all} were doubled, and the counter of possible duplicates is ${counted}`] : []
  const silent = rows.filter((row) => doubled(row) > row.possible_duplicates).length
  const idle = rows.filter((row) => doubled(row) < row.possible_duplicates).length
  return [
    ...(silent > 0 ? [`${silent} notifications were doubled without being called possible duplicates`] : []),
    ...(duplicates === 'exact' && idle > 0 ? [`${idle} possible duplicates are none`] : []),
    ...(duplicates === 'none' && all > 0 ? [`there are ${all} duplicates where none may be`] : []),
  ]
}

/** A notification that ended as not sent must have had all its attempts, if its recipient may still be notified. */
function earlyFaults(unsent: Row[]): string[] {
  const early = unsent.filter((row) => row.attempts < ATTEMPTS && !ENDS_AT_ONCE.has(row.error_message ?? ''))
  return early.length === 0
    ? []
    : [`${early.length} ended before their ${ATTEMPTS} attempts, as ${early[0]?.error_message}`]
}

/** Compares the counters of the messages with the rows, and both with the audience (decision B8). */
function countFaults({ audience, messageIds, duplicates }: Rules, rows: Row[], counts: Counts): string[] {
  const skipped = sum(Object.values(countSkipped(counts)))
  const users = new Set(rows.map((row) => `${row.message_id}:${row.user_id}`)).size
  const times = messageIds.length
  const pairs: [what: string, is: number, shouldBe: number][] = [
    ['selected, against notified and skipped', counts['selected'] ?? 0, users + skipped],
    ['the counter of notifications', counts['notifications'] ?? 0, rows.length],
    ['the counter of sent', counts['sent'] ?? 0, rows.filter((row) => row.is_send).length],
    ['the counter of failed', counts['failed'] ?? 0, counts['failed_rows'] ?? 0],
    ['the counter of delivered', counts['delivered'] ?? 0, counts['delivered_rows'] ?? 0],
  ]
  if (duplicates !== 'summed') {
    const ofRows = sum(rows.map((row) => row.possible_duplicates))
    pairs.push(['the counter of possible duplicates', counts['possible_duplicates'] ?? 0, ofRows])
  }
  if (audience) {
    pairs.push(
      ['selected', counts['selected'] ?? 0, audience.selected * times],
      ['skipped as inactive', counts['skipped_inactive'] ?? 0, audience.inactive * times],
      ['skipped as opted out', counts['skipped_opted_out'] ?? 0, audience.optedOut * times],
      ['skipped for want of a device', counts['skipped_no_device'] ?? 0, audience.noDevice * times],
    )
  }
  return pairs.flatMap(([what, is, shouldBe]) => (is === shouldBe ? [] : [`${what} is ${is} and not ${shouldBe}`]))
}

export async function findDifferingHomes(pool: Pool, messageIds: number[]): Promise<string[]> {
  const faults: string[] = []
  for (const messageId of messageIds) {
    const { rows } = await pool.query<{ home: number }>(DIFFERING_HOMES.replaceAll('@message', String(messageId)))
    faults.push(...rows.map(({ home }) => `the counts of message ${messageId} are not its rows in home ${home}`))
  }
  return faults
}

type Counts = Record<string, number>

async function readRows(pool: Pool, messageIds: number[]): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `select n.notification_id::int, n.message_id::int, n.user_id::int, d.token, n.is_send, n.ticket_id, n.settled_at,
       n.error_message, n.possible_duplicates, n.attempts
     from notifications n left join mobile_devices d on d.id = n.mobile_devices_id
     where n.message_id = any($1)`,
    [messageIds],
  )
  return rows
}

/** The sums of the counters, and two numbers counted from the rows. */
async function readCounts(pool: Pool, messageIds: number[]): Promise<Counts> {
  const { rows: counted } = await pool.query<{ counts: Counts }>(
    `select to_jsonb(c) - '{home,message_id,slot}'::text[] as counts from message_counts c where message_id = any($1)`,
    [messageIds],
  )
  const { rows: ofRows } = await pool.query<{ counts: Counts }>(
    `select json_build_object(
       'failed_rows', count(*) filter (where settled_at is not null and is_delivered is not true),
       'delivered_rows', count(*) filter (where is_delivered)) as counts
     from notifications where message_id = any($1)`,
    [messageIds],
  )
  const sums: Counts = {}
  for (const { counts } of [...counted, ...ofRows])
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
  return sums
}

async function countMessages(pool: Pool, messageIds: number[]): Promise<number> {
  const { rowCount } = await pool.query('select from messages where message_id = any($1)', [messageIds])
  return rowCount ?? 0
}

async function readKnownIds(pool: Pool): Promise<Set<number>> {
  const { rows } = await pool.query<{ id: number }>('select notification_id::int as id from notifications')
  return new Set(rows.map((row) => row.id))
}

function countSkipped(counts: Counts): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, value]) =>
      name.startsWith('skipped_') && value > 0 ? [[name.slice('skipped_'.length), value]] : [],
    ),
  )
}

function tally(names: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
