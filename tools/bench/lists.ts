import { ADMIN, signIn } from './client.ts'
import { load } from './callers.ts'
import type { Bench } from './setup.ts'

const SECONDS = 6
const PLAIN_CALLERS = 8
const PLAIN_MS = 3_000

/** A kind of request: how many a second the API answered, and how often a second plain SQL gives the same. */
export type ListFigure = { what: string; wanted: string; perSecond: number; plainPerSecond: number }

type Kind = { what: string; wanted: string; paths: string[]; plain: string[] }

const USERS = '/api/admin/v1/users'
const PAGE = 20

/** The people of the lists: `insertPeople` made them, or they existed (made by `manage generate-load`). */
type People = { users: number; isFilled: boolean }

/** Lists of users for 32 callers that wait for their answers: the same address for all, and many addresses. */
export async function measureLists(bench: Bench, people: People): Promise<ListFigure[]> {
  await using web = await bench.service({ ...ADMIN, PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' })
  const { token } = await signIn(web.url)
  const headers = { authorization: `Bearer ${token}` }
  const figures: ListFigure[] = []
  const texts = people.isFilled ? await textsInUsernames(bench) : TEXTS
  for (const { paths, plain, ...kind } of listKinds(people.users, texts)) {
    const calls = paths.map((path) => ({ path, headers }))
    // The first second of a kind warms its plans and caches.
    await load(web.url, calls, 1)
    const { perSecond } = await load(web.url, calls, SECONDS)
    figures.push({ ...kind, perSecond, plainPerSecond: await plainly(bench, plain) })
  }
  return figures
}

/** Texts to search for: one that many users have (about a thousand), and a hundred that about ten have. */
type Texts = { common: string; rare: string[] }

const TEXTS: Texts = { common: 'ser99', rare: range(100, (n) => `ser${1_000 + 7 * n}`) }

/** Where the usernames are other ones: the name without its number of one of them, and the ends of a hundred. */
async function textsInUsernames({ pool }: Bench): Promise<Texts> {
  const { rows } = await pool.query<{ username: string }>(
    `select username from users where role = 'user' and user_id % 997 = 1 order by user_id limit 100`,
  )
  const usernames = rows.map(({ username }) => username)
  return { common: (usernames[0] ?? '').replace(/\d+$/, ''), rare: usernames.map((name) => name.slice(-8)) }
}

function listKinds(users: number, { common, rare }: Texts): Kind[] {
  const far = Math.min(2_500, Math.floor(users / 40))
  const near = range(50, (n) => n + 1)
  const around = range(200, (n) => far - 100 + n)
  const ids = range(1_000, (n) => 1 + ((n * 97) % users))
  return [
    { what: 'users, first page with total', wanted: '5,000/s', paths: [USERS], plain: [plainPage(1)] },
    { what: 'users, pages 1 to 50 with total', wanted: '', paths: near.map(page), plain: near.map(plainPage) },
    { what: `users, page ${far} with total`, wanted: '1,000/s', paths: [page(far)], plain: [plainPage(far)] },
    { what: 'users, 200 pages around it', wanted: '', paths: around.map(page), plain: around.map(plainPage) },
    {
      what: 'users, one substring with total',
      wanted: '2,000/s',
      paths: [search(common)],
      plain: [plainSearch(common)],
    },
    { what: 'users, 100 substrings with total', wanted: '', paths: rare.map(search), plain: rare.map(plainSearch) },
    {
      what: 'user-profile by id, 1,000 ids',
      wanted: '9,000/s',
      paths: ids.map((id) => `/api/admin/v1/user-profile?id=${id}`),
      plain: ids.map((id) => `select * from users where user_id = ${id}`),
    },
  ]
}

function range<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}

function page(number: number): string {
  return `${USERS}?page=${number}`
}

function search(text: string): string {
  return `${USERS}?search=${encodeURIComponent(text)}`
}

// The simplest query, with its count.
function plainPage(number: number): string {
  return `select *, (select count(*) from users where deleted_at is null) from users where deleted_at is null
    order by user_id desc limit ${PAGE} offset ${(number - 1) * PAGE}`
}

function plainSearch(text: string): string {
  const where = `deleted_at is null and (username ilike '%${text}%' or email ilike '%${text}%' or name ilike '%${text}%')`
  return `select *, (select count(*) from users where ${where}) from users where ${where} order by user_id desc limit ${PAGE}`
}

/** How many of these statements eight connections run in a second, in turn. */
async function plainly({ pool }: Bench, statements: string[]): Promise<number> {
  const until = performance.now() + PLAIN_MS
  const turn = { next: 0 }
  const call = async () => {
    while (performance.now() < until) await pool.query(statements[turn.next++ % statements.length] ?? '')
  }
  const from = performance.now()
  await Promise.all(range(PLAIN_CALLERS, call))
  return Math.round((1_000 * turn.next) / (performance.now() - from))
}
