import { performance } from 'node:perf_hooks'
import { Pool as HttpPool } from 'undici'
import { fillMarket, WORD, type Market } from './browse-data.ts'
import { openSessions, type Caller } from './callers.ts'
import type { Bench } from './setup.ts'
import { time, type Kind, type Timed } from './timed.ts'

const LIKERS = 32
const LIKES_EACH = 20

/** The speed of the market: its lists, and likes a second of one product and of many. */
export type BrowseFigures = { timed: Timed[]; likes: { hot: number; many: number } }

/** Fills the database with a market, and measures the app's calls on it. */
export async function measureBrowse(bench: Bench, market: Market): Promise<BrowseFigures> {
  await fillMarket(bench.pool, market)
  const callers = await openSessions(bench)
  await using web = await bench.service({ PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' })
  const caller = callers[0]!
  const token = caller.headers.authorization.replace('Bearer ', '')
  const timed: Timed[] = []
  for (const kind of listKinds(await readWords(bench), caller.userId, market))
    timed.push(await time(bench, web.url, { token }, kind))
  const many = Array.from({ length: LIKERS * LIKES_EACH }, (_, n) => 1 + n * 3)
  const likes = {
    many: await likesASecond(web.url, callers, (n) => many[n]!),
    hot: await likesASecond(web.url, callers, () => 7),
  }
  return { timed, likes }
}

/** Words by how frequent they are among the products: in half of them, in some percent, in a thousandth. */
async function readWords({ pool }: Bench): Promise<string[]> {
  const { rows } = await pool.query<{ word: string }>(
    `select ${WORD('rank')} as word from unnest(array[0, 3, 20, 100, 300, 1000, 2000, 4000]) with ordinality r(rank, place) order by place`,
  )
  return rows.map(({ word }) => word)
}

const PRODUCTS = '/api/v1/products?'
const ORDERS = ['newest', 'most_liked'] as const

function holds(word: string): string {
  return `(p.title ilike '%${word}%' or p.description ilike '%${word}%')`
}

function listKinds(words: string[], userId: number, { products }: Market): Kind[] {
  const deep = { newest: cursor('newest', [200_000]), most_liked: cursor('most_liked', [1, 500_000]) }
  const inOrders = (queries: string[]) =>
    ORDERS.flatMap((sort) =>
      queries.flatMap((query) =>
        ['', `&cursor=${deep[sort]}`].map((more) => `${PRODUCTS}sort=${sort}&${query}${more}`),
      ),
    )
  const pairs = words.flatMap((word, n) => words.slice(n + 1).map((other) => `${word}+${other}`))
  return [
    { what: 'browse', wanted: '30 ms', paths: inOrders(['']), plain: ORDERS.map((sort) => plainPage('true', sort)) },
    {
      what: 'browse, category or city or both',
      wanted: '30 ms',
      paths: inOrders([
        'category=1',
        'category=9',
        'category=44',
        'city=City+3',
        'city=City+1999',
        'city=City+1500&category=2',
      ]),
      plain: [`p.category_id = 9`, `p.city = 'City 1999'`, `p.city = 'City 1500' and p.category_id = 6`].map((where) =>
        plainPage(where),
      ),
    },
    {
      what: 'browse, a word',
      wanted: '30 ms',
      paths: inOrders(words.map((word) => `search=${word}`)),
      plain: words.map((word) => plainPage(holds(word))),
    },
    {
      what: 'browse, two words',
      wanted: '30 ms',
      paths: inOrders(pairs.map((pair) => `search=${pair}`)),
      plain: pairs.slice(0, 8).map((pair) => plainPage(pair.split('+').map(holds).join(' and '))),
    },
    {
      what: 'own list',
      wanted: '30 ms',
      paths: ['', '?status=paused', '?status=draft', '?limit=100'].map((query) => `/api/v1/me/products${query}`),
      plain: [
        `select * from products where user_id = ${userId} and deleted_at is null order by product_id desc limit 20`,
      ],
    },
    {
      what: 'a product, a person, categories',
      wanted: '30 ms',
      paths: ['products/4711', `products/${products - 1}`, 'users/1', 'users/4711', 'categories'].map(
        (path) => `/api/v1/${path}`,
      ),
      plain: ['select * from products p join users u using (user_id) where p.product_id = 4711'],
    },
  ]
}

// The simplest query: it counts likes at each request.
function plainPage(where: string, sort: (typeof ORDERS)[number] = 'newest'): string {
  const from = `from products p join users u using (user_id)`
  const rows = `p.status = 'active' and p.deleted_at is null and ${where}`
  return sort === 'newest'
    ? `select p.*, u.name, (select count(*) from likes l where l.product_id = p.product_id) ${from} where ${rows}
        order by p.product_id desc limit 20`
    : `select p.*, u.name, coalesce(l.n, 0) ${from} left join (select product_id, count(*) as n from likes group by 1) l using (product_id)
        where ${rows} order by coalesce(l.n, 0) desc, p.product_id desc limit 20`
}

function cursor(sort: string, keys: number[]): string {
  return Buffer.from(JSON.stringify([`products ${sort}`, ...keys])).toString('base64url')
}

/** How many likes a second callers give, each one after the other. */
async function likesASecond(origin: string, callers: Caller[], productOf: (n: number) => number): Promise<number> {
  const http = new HttpPool(origin, { connections: LIKERS })
  const from = performance.now()
  await Promise.all(
    Array.from({ length: LIKERS }, async (_, who) => {
      for (let n = 0; n < LIKES_EACH; n++) {
        const { headers } = callers[who * LIKES_EACH + n + 1]!
        const path = `/api/v1/products/${productOf(who * LIKES_EACH + n)}/like`
        const answer = await http.request({ method: 'PUT', path, headers })
        await answer.body.dump()
        if (![200, 404, 422].includes(answer.statusCode)) throw new Error(`${path} answered ${answer.statusCode}`)
      }
    }),
  )
  const seconds = (performance.now() - from) / 1_000
  await http.close()
  return Math.round((LIKERS * LIKES_EACH) / seconds)
}
