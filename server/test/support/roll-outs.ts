import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Instance } from '../../src/push/provider/configured-providers.ts'
import { scriptedToken } from './five-providers.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

const URL = '/api/admin/roll-outs'

type Way = { provider: string; accepted: number; refused: number; gone: number; opened: number }
export type RollOut = {
  provider: string
  from: string
  share: number
  changed_at: string | null
  changed_by: string | null
  returned_at: string | null
  phones: number
  phones_native: number
  phones_counted_at: string
  ways: Way[]
}

/** Changes the share of a provider, or tries to; as a new administrator unless another caller is given. */
export async function askRollOut({ app, given }: Service, payload: object, caller?: GivenUser) {
  const { headers } = caller ?? (await given.admin())
  return app.inject({ method: 'POST', url: URL, headers, payload })
}

export async function setShare(service: Service, provider: string, share: number): Promise<void> {
  expect((await askRollOut(service, { provider, share })).statusCode).toBe(200)
}

export async function readRollOuts({ app, given }: Service): Promise<RollOut[]> {
  const answer = await app.inject({ url: URL, headers: (await given.admin()).headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: { roll_outs: RollOut[] } }>().data.roll_outs
}

/** `count` people, each with a phone of this provider that has Expo's address too. */
export async function givenTwoAddresses(service: Service, instance: Instance, count: number): Promise<GivenUser[]> {
  const { db } = service.deps
  await service.given.crowd(count)
  await sql`
    update mobile_devices set fallback_token = token, fallback_provider = 'expo', provider = ${instance.name},
      token = ${scriptedToken(instance, '')} || user_id, platform = 'ios'
    where token like '%crowd%' and fallback_token is null`.execute(db)
  const phones = db.selectFrom('mobile_devices').select('user_id').where('provider', '=', instance.name)
  const people = await phones.where('fallback_token', 'like', '%crowd%').orderBy('user_id').execute()
  return people.map(({ user_id: userId }) => ({ userId }) as GivenUser)
}

/** The place of a device among a hundred. */
export function computePlace(deviceId: string): number {
  return parseInt(hash('md5', deviceId).slice(0, 8), 16) % 100
}
