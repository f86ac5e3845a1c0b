import { expect } from 'vitest'
import { givenProduct } from './marketplace.ts'
import { openPhone, type Phone } from './phone.ts'
import type { Service } from './service.ts'

/** A swap as an answer shows it. */
export type Entry = Record<string, unknown> & {
  id: number
  status: string
  moves: string[]
  version: number
  is_my_turn: boolean
}

/** A requester and an owner with their phones, and a product of each. */
export async function givenPair(service: Service) {
  const { deps, given } = service
  const [requester, owner] = [await given.user(), await given.user({ name: 'Olga' })]
  const images = JSON.stringify(['https://img.example.com/1.png', 'https://img.example.com/2.png'])
  const offered = await givenProduct(deps, requester, { title: 'A lamp' })
  const requested = await givenProduct(deps, owner, { title: 'A chair', images })
  return {
    requester,
    owner,
    offered,
    requested,
    mine: openPhone(service, requester),
    theirs: openPhone(service, owner),
  }
}

/** Proposes a swap, and gives its id. */
export async function propose(mine: Phone, offered: number[], requested: number[]): Promise<number> {
  const answer = await mine.post<Entry>('/api/v1/swaps', { offered, requested })
  expect(answer).toMatchObject({ status: 201 })
  return answer.json.data.id
}

/** Makes moves, each of which must succeed. */
export async function make(swapId: number, ...moves: [Phone, string][]): Promise<Entry> {
  let last: Entry | undefined
  for (const [phone, move] of moves) {
    const answer = await phone.post<Entry>(`/api/v1/swaps/${swapId}/${move}`)
    expect(answer).toMatchObject({ status: 200 })
    last = answer.json.data
  }
  return last!
}
