import { Pool as HttpPool } from 'undici'
import type { Pool, PoolClient } from 'pg'

/**
 * A way to notify everyone without queue, ledger, receipts or safety: notifications a second, from first insert to last
 * update.
 */
export type Baseline = (pool: Pool, simulatorUrl: string, inFlight: number) => Promise<number>

type Device = { id: string; user_id: string; token: string; platform: 'ios' | 'android' }
type Copy = Device & { notification_id: string }
type Ticket = { status: string; id?: string }

const ROWS_A_STATEMENT = 1_000
// A statement for each of 100,000 devices takes minutes and shows nothing more.
const LOOP_DEVICES = 10_000
const TEXT = {
  title: 'Swap weekend',
  body: 'Two days, no fees, and a meeting point near you. Bring three things that you no longer need.',
}

// A row a copy with its answers, an index for reports and one for a person.
const LEDGER = `
  create table baseline (
    notification_id bigint generated always as identity primary key, message_id bigint not null, batch_id bigint not null,
    user_id bigint not null, mobile_devices_id bigint not null, is_send boolean not null default false, is_delivered boolean,
    ticket_id text, error_message text, created_at timestamptz not null, updated_at timestamptz not null, sent_at timestamptz);
  create index on baseline (message_id, notification_id);
  create index on baseline (user_id, message_id)`

/** The simplest way: insert in bulk, post, update in bulk, one page after the other. */
export const bareScript: Baseline = async (pool, simulatorUrl, inFlight) =>
  timed(pool, async (devices) => {
    const http = new HttpPool(simulatorUrl, { connections: inFlight })
    const pages = chunk(devices, ROWS_A_STATEMENT)
    await inParallel(pages, Math.max(2, Math.ceil(inFlight / 10)), async (page) => {
      const copies = await insert(pool, page)
      const tickets = await Promise.all(chunk(copies, 100).map((group) => post(http, group)))
      await update(pool, copies, tickets.flat())
    })
    await http.close()
  })

/** The official client as in its README: one chunk after the other, one statement for each device. */
export const officialLoop: Baseline = async (pool, simulatorUrl) =>
  timed(
    pool,
    async (devices) => {
      const { client, messageFor } = await officialClient(simulatorUrl)
      for (const page of chunk(devices, 100)) {
        const copies = (await inOneTransaction(pool, page, async (db, device) => insert(db, [device]))).flat()
        const tickets = await client.sendPushNotificationsAsync(copies.map(messageFor))
        await inOneTransaction(pool, copies, async (db, copy, index) =>
          update(db, [copy], tickets.slice(index, index + 1)),
        )
      }
    },
    LOOP_DEVICES,
  )

/** The official client with bulk statements and `inFlight` chunks at once. */
export const officialBulk: Baseline = async (pool, simulatorUrl, inFlight) =>
  timed(pool, async (devices) => {
    const { client, messageFor } = await officialClient(simulatorUrl, inFlight)
    const pages = chunk(devices, ROWS_A_STATEMENT)
    await inParallel(pages, Math.ceil(inFlight / 10), async (page) => {
      const copies = await insert(pool, page)
      const chunks = client.chunkPushNotifications(copies.map(messageFor))
      const tickets = await Promise.all(chunks.map((messages) => client.sendPushNotificationsAsync(messages)))
      await update(pool, copies, tickets.flat())
    })
  })

async function officialClient(simulatorUrl: string, maxConcurrentRequests = 6) {
  process.env['EXPO_BASE_URL'] = simulatorUrl
  const { Expo } = await import('expo-server-sdk')
  const client = new Expo({ maxConcurrentRequests })
  return {
    client,
    messageFor: (copy: Copy) => ({ to: copy.token, ...TEXT, data: { notification_id: Number(copy.notification_id) } }),
  }
}

async function timed(pool: Pool, work: (devices: Device[]) => Promise<void>, limit?: number): Promise<number> {
  await pool.query(`drop table if exists baseline; ${LEDGER}`)
  const { rows } = await pool.query<Device>(
    'select id, user_id, token, platform from mobile_devices order by user_id limit $1',
    [limit],
  )
  const startedAt = performance.now()
  await work(rows)
  const seconds = (performance.now() - startedAt) / 1_000
  const sent = await pool.query<{ n: string }>('select count(*) as n from baseline where is_send')
  if (Number(sent.rows[0]?.n) !== rows.length) throw new Error('The baseline lost some.')
  await pool.query('drop table baseline')
  return Math.round(rows.length / seconds)
}

async function inOneTransaction<T, R>(
  pool: Pool,
  items: T[],
  work: (db: PoolClient, item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const db = await pool.connect()
  const results: R[] = []
  await db.query('begin')
  for (const [index, item] of items.entries()) results.push(await work(db, item, index))
  await db.query('commit')
  db.release()
  return results
}

async function insert(pool: Pool | PoolClient, devices: Device[]): Promise<Copy[]> {
  const { rows } = await pool.query<{ notification_id: string; device_id: string }>(
    `insert into baseline (message_id, batch_id, user_id, mobile_devices_id, created_at, updated_at)
     select 1, 1, user_id, id, now(), now() from unnest($1::bigint[], $2::bigint[]) as d(user_id, id)
     returning notification_id, mobile_devices_id as device_id`,
    [devices.map((device) => device.user_id), devices.map((device) => device.id)],
  )
  const ids = new Map(rows.map((row) => [row.device_id, row.notification_id]))
  return devices.map((device) => ({ ...device, notification_id: ids.get(device.id) ?? '' }))
}

async function post(http: HttpPool, copies: Copy[]): Promise<Ticket[]> {
  const messages = copies.map((copy) => ({
    to: copy.token,
    ...TEXT,
    data: { notification_id: Number(copy.notification_id) },
  }))
  const { body } = await http.request({
    method: 'POST',
    path: '/--/api/v2/push/send',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  })
  return ((await body.json()) as { data: Ticket[] }).data
}

async function update(pool: Pool | PoolClient, copies: Copy[], tickets: Ticket[]): Promise<void> {
  await pool.query(
    `update baseline n set is_send = true, is_delivered = null, ticket_id = t.ticket, sent_at = now()
     from unnest($1::bigint[], $2::text[]) as t(notification_id, ticket) where n.notification_id = t.notification_id`,
    [copies.map((copy) => copy.notification_id), tickets.map((ticket) => ticket.id)],
  )
}

async function inParallel<T>(items: T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
