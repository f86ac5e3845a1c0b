/** What decision D says of swaps, in its own words: the tests compare the service with it. */

type Status =
  | 'pending'
  | 'countered'
  | 'accepted'
  | 'completed'
  | 'declined'
  | 'withdrawn'
  | 'expired'
  | 'cancelled'
  | 'disputed'
  | 'invalidated'

export type ModelSwap = {
  id: number
  /** People by their places. */
  requester: number
  owner: number
  offered: number[]
  requested: number[]
  status: Status
  /** A proposal waits for the answer of this person. */
  turn: number
  confirmed: Set<number>
  expiresAt: number
  /** When the first side confirmed. */
  confirmedAt: number
}

export type Model = {
  now: number
  /** The owner of each product, by its id, and where it stands. */
  products: Map<number, { owner: number; status: 'active' | 'reserved' | 'swapped' }>
  swaps: ModelSwap[]
}

type Sides = { offered: number[]; requested: number[] }

const DAY_MS = 86_400_000
const isProposal = ({ status }: ModelSwap) => status === 'pending' || status === 'countered'
const toProducts = ({ offered, requested }: Sides) => [...offered, ...requested]

/** The status of the answer to a proposal; 201 when it can be made. */
export function proposalAnswer(model: Model, requester: number, sides: Sides): number {
  const owner = model.products.get(sides.requested[0]!)?.owner
  if (owner === requester || !mayGive(model, requester, sides.offered) || !mayGive(model, owner!, sides.requested))
    return 422
  return asksAlready(model, requester, sides.requested) ? 409 : 201
}

export function addProposal(model: Model, id: number, requester: number, sides: Sides): void {
  const owner = model.products.get(sides.requested[0]!)!.owner
  const expiresAt = model.now + 7 * DAY_MS
  const fresh = { status: 'pending', turn: owner, confirmed: new Set<number>(), confirmedAt: 0 } as const
  model.swaps.push({ id, requester, owner, ...sides, ...fresh, expiresAt })
}

/** Makes a move of a person, and gives the status of its answer. Nothing changes unless it is 200. */
export function makeMove(model: Model, swap: ModelSwap, person: number, move: string, sides: Sides): number {
  if (person !== swap.requester && person !== swap.owner) return 404
  if (!listMoves(swap, person).includes(move)) return 409
  switch (move) {
    case 'counter':
      if (!mayGive(model, swap.requester, sides.offered) || !mayGive(model, swap.owner, sides.requested)) return 422
      if (asksAlready(model, swap.requester, sides.requested, swap)) return 409
      Object.assign(swap, sides, { expiresAt: model.now + 7 * DAY_MS })
      swap.turn = person === swap.owner ? swap.requester : swap.owner
      swap.status = swap.turn === swap.requester ? 'countered' : 'pending'
      return 200
    case 'accept':
      if (toProducts(swap).some((id) => model.products.get(id)!.status !== 'active')) return 409
      swap.status = 'accepted'
      setProducts(model, swap, 'reserved')
      return 200
    case 'confirm':
      if (swap.confirmed.size === 0) swap.confirmedAt = model.now
      swap.confirmed.add(person)
      if (swap.confirmed.size === 2) complete(model, swap)
      return 200
    case 'cancel':
      cancel(model, swap)
      return 200
    default:
      swap.status = ({ decline: 'declined', withdraw: 'withdrawn', dispute: 'disputed' } as const)[move as 'decline']
      return 200
  }
}

/** What a side may do now. */
export function listMoves(swap: ModelSwap, person: number): string[] {
  if (isProposal(swap)) return person === swap.turn ? ['counter', 'accept', 'decline'] : ['withdraw']
  if (swap.status !== 'accepted') return []
  return [
    ...(swap.confirmed.has(person) ? [] : ['confirm']),
    ...(swap.confirmed.size === 0 ? ['cancel'] : []),
    'dispute',
  ]
}

/** An administrator resolves a dispute; gives the status of the answer. */
export function resolve(model: Model, swap: ModelSwap, resolution: 'completed' | 'cancelled'): number {
  if (swap.status !== 'disputed') return 409
  if (resolution === 'completed') complete(model, swap)
  else cancel(model, swap)
  return 200
}

/** Time passes, and the clock makes its moves. */
export function passTime(model: Model, ms: number): void {
  model.now += ms
  for (const swap of model.swaps) if (isProposal(swap) && swap.expiresAt <= model.now) swap.status = 'expired'
  for (const swap of model.swaps)
    if (swap.status === 'accepted' && swap.confirmed.size === 1 && swap.confirmedAt <= model.now - 14 * DAY_MS)
      complete(model, swap)
}

function mayGive(model: Model, person: number, ids: number[]): boolean {
  return (
    ids.length > 0 &&
    ids.every((id) => model.products.get(id)!.owner === person && model.products.get(id)!.status === 'active')
  )
}

function asksAlready(model: Model, requester: number, ids: number[], but?: ModelSwap): boolean {
  return model.swaps.some(
    (swap) =>
      swap !== but && swap.requester === requester && isProposal(swap) && swap.requested.some((id) => ids.includes(id)),
  )
}

function complete(model: Model, swap: ModelSwap): void {
  swap.status = 'completed'
  swap.confirmed = new Set([swap.requester, swap.owner])
  setProducts(model, swap, 'swapped')
  const gone = toProducts(swap)
  for (const other of model.swaps)
    if (isProposal(other) && toProducts(other).some((id) => gone.includes(id))) other.status = 'invalidated'
}

function cancel(model: Model, swap: ModelSwap): void {
  swap.status = 'cancelled'
  setProducts(model, swap, 'active')
}

function setProducts(model: Model, swap: ModelSwap, status: 'active' | 'reserved' | 'swapped'): void {
  for (const id of toProducts(swap)) model.products.get(id)!.status = status
}
