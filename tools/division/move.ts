import { Client } from 'pg'
import { createCitusDatabase, DIVIDED } from '../../server/test/support/citus.ts'
import { manage } from '../../server/test/support/manage.ts'
import { insertPeople } from '../bench/people.ts'
import { fill, type Size } from './fill.ts'
import { onDatabase, openSending } from './sending.ts'

type MoveReport = {
  copies: number
  seconds: { filled: number; divided: number }
  minutesForTenMillion: number
  /** What the command says when it fails, where sums or pages differ, and what is wrong when all is sent. */
  faults: string[]
}

const SUMMED = ['message_counts', 'provider_counts']
/** Sums the copies of a range of messages. For all messages at once PostgreSQL writes 40 GB to disk. */
const COPIES = `select count(*) as copies, sum(notification_id::numeric * user_id) as ids, sum(mobile_devices_id) as devices,
  count(*) filter (where is_send) as sent, count(*) filter (where is_delivered) as delivered,
  count(*) filter (where is_open) as opened from notifications where message_id >= $1 and message_id < $2`
const MOST = String(2n ** 63n - 1n)
/** Sums that do not depend on homes, nor on the order of rows. */
const SUMS: Record<string, string> = {
  people: `select sum(batch_id::numeric * user_id) as people from batches cross join unnest(user_ids) user_id`,
  work: `select sum(w.batch_id::numeric * (1 + place)) as places from work w cross join unnest(places) place`,
  requests: `select sum(request_id::numeric) as requests, sum(place) as places
    from requests cross join unnest(places) place`,
  ...Object.fromEntries(
    SUMMED.map((name) => [
      name,
      `select sum(message_id::numeric * ${name === 'message_counts' ? 'sent' : 'accepted'}) as counted from ${name}`,
    ]),
  ),
  ...Object.fromEntries(
    DIVIDED.filter((name) => !['batches', 'work', 'requests', ...SUMMED].includes(name)).map((name) => [
      name,
      `select count(*) as rows, sum(hashtextextended((to_jsonb(t) - 'home')::text, 0)::numeric) as hashes
      from ${name} t`,
    ]),
  ),
}

/** Divides a plain database of this size on a Citus in the middle of a campaign, compares, and lets it go on. */
export async function measureMove(citusUrl: string, size: Size, say: (line: string) => void): Promise<MoveReport> {
  const { url, workerUrls, drop } = await createCitusDatabase(citusUrl, { knowsWorkers: false })
  try {
    const migrated = await manage(['migrate'], { DATABASE_URL: url })
    if (migrated.code !== 0) throw new Error(migrated.stderr)
    const filled = await timed(async () => {
      await onDatabase(url, (pool) => insertPeople(pool, size.people))
      await connected(url, (client) => fill(client, { ...size, campaigns: size.campaigns - 1 }))
    })
    say(`Filled in ${filled.seconds.toFixed(0)} s.`)
    const sending = await openSending(url, size.people)
    try {
      await sending.begin()
      const before = { ...(await sending.readPages()), ...(await connected(url, readSums)) }
      await connected(url, async (client) => {
        for (const { hostname, port } of workerUrls.map((one) => new URL(one)))
          await client.query('select citus_add_node($1, $2)', [hostname, Number(port)])
      })
      const divided = await timed(() => manage(['divide'], { DATABASE_URL: url }))
      say(`${divided.result.stdout}${divided.result.stderr}`.trim())
      const after: typeof before = { ...(await connected(url, readSums)), ...(await sending.readPages()) }
      const copies = Number(JSON.parse(before['copies']!).copies)
      const ended = await timed(() => sending.end())
      say(`The campaign went on and was over after ${ended.seconds.toFixed(0)} s.`)
      return {
        copies,
        seconds: { filled: filled.seconds, divided: divided.seconds },
        minutesForTenMillion: (divided.seconds / 60) * (10_000_000 / copies),
        faults: [
          ...(divided.result.code === 0 ? [] : [divided.result.stderr]),
          ...Object.keys(before).filter((name) => before[name] !== after[name]),
          ...ended.result,
        ],
      }
    } finally {
      await sending.close()
    }
  } finally {
    await drop()
  }
}

async function readSums(client: Client): Promise<Record<string, string>> {
  await client.query('set jit = off')
  const sums: Record<string, string> = { copies: JSON.stringify(await sumCopies(client)) }
  for (const [name, statement] of Object.entries(SUMS))
    sums[name] = JSON.stringify((await client.query(statement)).rows[0])
  return sums
}

/** The last campaign's range has the messages to one person too. */
async function sumCopies(client: Client): Promise<Record<string, string>> {
  const sums = new Map<string, bigint>()
  const { rows: campaigns } = await client.query<{ id: string }>(
    `select message_id as id from messages where audience = 'all' order by message_id`,
  )
  for (const [n, { id }] of campaigns.entries()) {
    const { rows } = await client.query<Record<string, string | null>>(COPIES, [id, campaigns[n + 1]?.id ?? MOST])
    for (const [name, sum] of Object.entries(rows[0] ?? {})) sums.set(name, (sums.get(name) ?? 0n) + BigInt(sum ?? 0))
  }
  return Object.fromEntries(Array.from(sums, ([name, sum]) => [name, String(sum)]))
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const from = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - from) / 1_000 }
}
