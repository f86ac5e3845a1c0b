import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { selectOwnData } from '../../server/src/administration/own-data/own-data.queries.ts'
import { connect, queryBuilder, type DbPool } from '../../server/src/platform/db/connect.ts'
import { readHomes } from '../../server/src/platform/db/homes.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { openSessionsOf, type Caller } from '../bench/callers.ts'
import { ADMIN, signIn } from '../bench/client.ts'
import { BENCH_SETTINGS, startPart, startSimulator } from '../bench/setup.ts'

/** What people and administrators are shown, by address. */
type Pages = Record<string, string>

export type Sending = {
  /** Sends half of a campaign to all, of whom every tenth is in quiet hours. Its receipts stay open. */
  begin(): Promise<void>
  readPages(): Promise<Pages>
  /** Sends the rest, also to those whose quiet hours ended, and asks for all receipts. Gives what is wrong then. */
  end(): Promise<string[]>
  close(): Promise<void>
}

const SERVER = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const SHOWN_PEOPLE = 20
const SENT_WITHIN_MS = 30 * 60_000
const MESSAGE = { title: 'Half and half', text: 'One half before, one after' }
const FILTERS = ['', '&sort_order=desc&page=2', '&status=delivered', '&status=opened', '&name=User 77']
const PEOPLE_FILTERS = ['', '&status=failed', '&platform=android', '&search=user77']

/** The service on a database in which `people` have a phone each, with a provider that knows all its pushes. */
export async function openSending(url: string, people: number): Promise<Sending> {
  const simulator = await startSimulator({ latencyMs: 0 })
  const env = {
    ...BENCH_SETTINGS,
    ...ADMIN,
    DATABASE_URL: url,
    EXPO_BASE_URL: simulator.url,
    RECEIPT_DELAY_SECONDS: '43200',
  }
  const start = (PROCESS: string) => startPart(SERVER, { ...env, PROCESS })
  let messageId = 0
  let callers: Caller[] = []
  const readSent = (pool: DbPool) =>
    readRow(pool, `select sum(sent) as sent from message_counts where message_id = ${messageId}`)
  return {
    begin: () =>
      onDatabase(url, async (pool) => {
        await pool.query(`
          insert into push_preferences (user_id, quiet_start, quiet_end, created_at, updated_at)
          select user_id, (minute + 1430) % 1440, (minute + 600) % 1440, now(), now()
          from users, (select extract(epoch from now())::int / 60 % 1440 as minute) day where user_id % 10 = 0`)
        await using web = await start('web')
        await using worker = await start('worker')
        const api = await signIn(web.url)
        const answer = await api.post<{ notification_id: number }>('/api/admin/send-notification-all', MESSAGE)
        messageId = answer.notification_id
        const inTime = { signal: AbortSignal.timeout(SENT_WITHIN_MS) }
        while (Number((await readSent(pool))['sent']) < people / 2.5) await sleep(20, undefined, inTime)
        await worker.stop()
        if (Number((await readSent(pool))['sent']) === people)
          throw new Error('All was sent before it could be divided.')
      }),
    readPages: () =>
      onDatabase(url, async (pool) => {
        await using web = await start('web')
        if (callers.length === 0) callers = await openSessionsOf({ pool }, listShown(people))
        return await readPages(pool, web.url, callers)
      }),
    end: () =>
      onDatabase(url, async (pool) => {
        await pool.query('delete from push_preferences')
        await pool.query(`update work set due_at = now() where message_id = ${messageId} and is_entered`)
        await using web = await start('web')
        await using _ = await start('worker')
        const api = await signIn(web.url)
        const open = [
          `select from messages where message_id = ${messageId} and completed_at is null`,
          'select request_id from requests where next_receipt_at is not null limit 1',
        ]
        const isThere = async (statement: string) => (await pool.query(statement)).rowCount !== 0
        const inTime = { signal: AbortSignal.timeout(SENT_WITHIN_MS) }
        while ((await isThere(open[0]!)) || (await isThere(open[1]!))) {
          await api.get('/api/admin/process-receipts?limit=10000')
          await sleep(100, undefined, inTime)
        }
        const copies = await readRow(
          pool,
          `select count(*) as copies, count(distinct user_id) as people,
            count(*) filter (where is_delivered) as delivered from notifications where message_id = ${messageId}`,
        )
        const state = (await (await fetch(`${simulator.url}/simulator/state`)).json()) as Record<string, unknown>
        const found = {
          ...copies,
          ...(await readSent(pool)),
          accepted: state['acceptedMessages'],
          doubled: Number(state['duplicates']) + people,
        }
        return Object.entries(found).flatMap(([name, n]) => (Number(n) === people ? [] : [`${name} ${String(n)}`]))
      }),
    close: () => simulator.stop(),
  }
}

function listShown(people: number): number[] {
  return Array.from({ length: SHOWN_PEOPLE }, (_, n) => 1 + Math.floor((n * (people - 1)) / (SHOWN_PEOPLE - 1)))
}

async function readPages(pool: DbPool, url: string, callers: Caller[]): Promise<Pages> {
  const { token } = await signIn(url)
  const admin = { headers: { authorization: `Bearer ${token}` } }
  const pages: Pages = {}
  const see = async (path: string, { headers }: Pick<Caller, 'headers'>, name = path) => {
    const answer = await fetch(encodeURI(`${url}/api/${path}`), { headers })
    // Of how many pages there are a divided database gives an estimate sooner.
    pages[name] = `${answer.status} ${await answer.text()}`.replace(/"pagination":\{[^}]*\}/, '')
  }
  for (const person of callers) {
    const { userId } = person
    for (const path of ['v1/inbox', 'v1/inbox?state=unread', 'v1/badge', 'notification'])
      await see(path, person, `${path} of ${userId}`)
    await see(`admin/users/${userId}/notifications`, admin)
    const db = queryBuilder(pool)
    const own = await selectOwnData(db, userId, new Date(0)).execute(db)
    // The account says when the person was active last.
    const lines = own.rows.flatMap((row) => Object.values(row as Record<string, string>))
    pages[`own data of ${userId}`] = JSON.stringify(lines.filter((line) => !line.startsWith('0:')).toSorted())
  }
  await see('admin/promotional-notifications', admin)
  const { rows } = await pool.query<{ id: string }>('select message_id as id from messages order by message_id limit 3')
  for (const { id } of rows) {
    for (const filter of FILTERS) await see(`admin/notifications/${id}?per_page=100${filter}`, admin)
    for (const filter of PEOPLE_FILTERS) await see(`admin/notifications/${id}/people?limit=100${filter}`, admin)
  }
  return pages
}

async function readRow(pool: DbPool, statement: string): Promise<Record<string, unknown>> {
  return (await pool.query<Record<string, unknown>>(statement)).rows[0] ?? {}
}

/** Nobody may be connected to a database that is divided. */
export async function onDatabase<T>(url: string, work: (pool: DbPool) => Promise<T>): Promise<T> {
  const limits = { statementMs: 0, lockMs: 0, idleMs: 0, silenceMs: 0 }
  const pool = connect(url, { max: 4, log: createLog('silent'), limits })
  pool.homes = await readHomes(pool)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
