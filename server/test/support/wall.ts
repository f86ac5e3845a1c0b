import { expect } from 'vitest'
import type { PhoneView, WallView } from '../../../simulator/src/wall/view.ts'
import { insertAccount, PASSWORD } from './accounts.ts'
import { send } from './campaign.ts'
import { drain } from './drain.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

/** A wall of phones at a service that listens: phones by their places, and what is done to them over HTTP. */
export type TestWall = {
  api: string
  users: Pick<GivenUser, 'userId' | 'email'>[]
  view(): Promise<WallView>
  phone(place?: number): Promise<PhoneView>
  /** Does something to a phone; gives the status and the sentence of a refusal. */
  act(action: string, body?: object, place?: number): Promise<{ status: number; problem: string | undefined }>
}

/** Makes accounts, of whom the first `signedIn` get a phone each, iPhones and Android phones in turn. */
export async function openWall(service: Service, accounts: number, signedIn = accounts): Promise<TestWall> {
  const { app, deps, simulator } = service
  const users: TestWall['users'] = []
  for (let count = 0; count < accounts; count++) {
    const { user_id: userId, email } = await insertAccount(deps)
    users.push({ userId, email })
  }
  const address = app.server.address()
  const isListening = typeof address === 'object' && address !== null
  const api = isListening ? `http://127.0.0.1:${address.port}` : await app.listen({ port: 0, host: '127.0.0.1' })
  for (const { id } of (await readView(simulator.url)).phones)
    await fetch(`${simulator.url}/simulator/phones/${id}`, { method: 'DELETE' })
  await simulator.openTrial({ api, people: users.map(({ email }) => email), password: PASSWORD, phones: signedIn })
  const phone = async (place = 0) => {
    const found = (await readView(simulator.url)).phones[place]
    expect(found).toBeDefined()
    return found!
  }
  return {
    api,
    users,
    view: async () => readView(simulator.url),
    phone,
    act: async (action, body = {}, place = 0) => {
      const { id } = await phone(place)
      const url = `${simulator.url}/simulator/phones/${id}/${action}`
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
      const { error } = (await answer.json()) as { error?: string }
      return { status: answer.status, problem: error }
    },
  }
}

export async function sendTo(
  service: Service,
  { users }: TestWall,
  content: Record<string, unknown> = {},
): Promise<number> {
  const messageId = await send(service, users as GivenUser[], content)
  await drain(service)
  return messageId
}

async function readView(simulator: string): Promise<WallView> {
  return (await fetch(`${simulator}/simulator/phones`)).json() as Promise<WallView>
}
