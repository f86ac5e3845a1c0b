import { CONDITIONS, GOODS } from '../goods.ts'
import { ARRANGEMENTS, CLOSINGS, OPENINGS, PROPOSAL_NOTES, REPLIES } from '../chat-texts.ts'
import type { Call } from './calls.ts'

/** A number from 0 to below 1; a test gives its own. */
export type Chance = () => number

type Swap = {
  id: number
  status: string
  is_my_turn: boolean
  can_message: boolean
  moves: string[]
  unread_count: number
  last_message: { id: number; sender_id: number } | null
  other: { id: number } | null
}
type Product = { id: number; owner: { id: number }; liked_by_me: boolean }

/** What somebody did, for the log; undefined: there was nothing to do, or it was not possible. */
export type Deed = string | undefined

/**
 * Has somebody do one thing that an owner of things does on an ordinary day: open a notification, answer a proposal,
 * talk about a swap, bring it to its end, look around and like something, list something, or propose a swap. What waits
 * for them comes first, most of the time.
 */
export async function act(call: Call, chance: Chance, neighbours: readonly number[]): Promise<Deed> {
  if (chance() < 0.15) {
    const opened = await openNewest(call)
    if (opened !== undefined) return opened
  }
  if (chance() < 0.7) {
    const swaps = await fetchList<Swap>(call, '/api/v1/swaps?limit=50')
    const waiting = swaps.filter((swap) => swap.is_my_turn || swap.unread_count > 0)
    const talking = swaps.filter((swap) => swap.can_message)
    const swap = pick(waiting.length > 0 ? waiting : talking, chance)
    const deed = swap && (await carryOn(call, chance, swap))
    if (deed !== undefined) return deed
  }
  return chance() < 0.6 ? like(call, chance, neighbours) : propose(call, chance, neighbours)
}

/** Opens the newest notification, as a tap on its banner does. */
async function openNewest(call: Call): Promise<Deed> {
  const [newest] = await fetchList<{ id: number }>(call, '/api/notification')
  return newest && done(await call('GET', `/api/notification/${newest.id}/read`), `opened notification ${newest.id}`)
}

async function carryOn(call: Call, chance: Chance, swap: Swap): Promise<Deed> {
  const path = `/api/v1/swaps/${swap.id}`
  const heard = swap.last_message
  if (swap.unread_count > 0 && heard !== null) await call('POST', `${path}/read`, { message_id: heard.id })
  const move = nextMove(swap, chance)
  if (move !== undefined) return done(await call('POST', `${path}/${move}`), `${move} of swap ${swap.id}`)
  if (!swap.can_message || (heard !== null && heard.sender_id !== swap.other?.id && chance() < 0.7)) return undefined
  const line = pick(linesFor(swap), chance)
  return done(await call('POST', `${path}/messages`, { text: line }), `a line about swap ${swap.id}`)
}

/** The move that somebody makes now; undefined: they write or wait. */
function nextMove({ moves, is_my_turn: isMyTurn }: Swap, chance: Chance): string | undefined {
  const may = (move: string, share: number) => moves.includes(move) && chance() < share
  if (may('confirm', isMyTurn ? 0.6 : 0.2)) return 'confirm'
  if (!isMyTurn) return may('withdraw', 0.03) ? 'withdraw' : undefined
  if (may('accept', 0.55)) return 'accept'
  return may('decline', 0.15) ? 'decline' : undefined
}

function linesFor({ status, last_message: heard }: Swap): readonly string[] {
  if (status === 'completed') return CLOSINGS
  if (status === 'accepted') return ARRANGEMENTS
  return heard === null ? OPENINGS : REPLIES
}

async function like(call: Call, chance: Chance, neighbours: readonly number[]): Promise<Deed> {
  const product = pick(
    (await productsAround(call, chance, neighbours)).filter((seen) => !seen.liked_by_me),
    chance,
  )
  return product && done(await call('PUT', `/api/v1/products/${product.id}/like`), `a like of product ${product.id}`)
}

async function propose(call: Call, chance: Chance, neighbours: readonly number[]): Promise<Deed> {
  const product = pick(await productsAround(call, chance, neighbours), chance)
  const own = await fetchList<{ id: number }>(call, '/api/v1/me/products?status=active&limit=50')
  // Swapped things leave the market: somebody who has hardly anything left lists something.
  if (own.length < 2) return offer(call, chance)
  if (product === undefined) return undefined
  const note = chance() < 0.4 ? pick(PROPOSAL_NOTES, chance) : undefined
  const proposal = { offered: [pick(own, chance)?.id], requested: [product.id], ...(note !== undefined && { note }) }
  return done(await call('POST', '/api/v1/swaps', proposal), `a proposal for product ${product.id}`)
}

async function offer(call: Call, chance: Chance): Promise<Deed> {
  const [slug, title, description] = pick(GOODS, chance) ?? []
  const categories = await fetchList<{ id: number; slug: string }>(call, '/api/v1/categories')
  const category_id = categories.find((category) => category.slug === slug)?.id
  const product = { title, description, category_id, condition: pick(CONDITIONS, chance), submit: true }
  return done(await call('POST', '/api/v1/products', product), `an offer: ${title}`)
}

/** Mostly the products of those who act too, so that an answer comes; else the newest of the market. */
async function productsAround(call: Call, chance: Chance, neighbours: readonly number[]): Promise<Product[]> {
  const neighbour = chance() < 0.8 ? pick(neighbours, chance) : undefined
  if (neighbour === undefined) return fetchList(call, '/api/v1/products?limit=50')
  const { body } = await call('GET', `/api/v1/users/${neighbour}`)
  return ((body['data'] as { products?: Product[] } | undefined)?.products ?? []).slice()
}

async function fetchList<T>(call: Call, path: string): Promise<T[]> {
  const { body } = await call('GET', path)
  return Array.isArray(body['data']) ? (body['data'] as T[]) : []
}

function done({ status }: { status: number }, deed: string): Deed {
  return status >= 200 && status < 300 ? deed : undefined
}

function pick<T>(things: readonly T[], chance: Chance): T | undefined {
  return things[Math.floor(chance() * things.length)]
}
