import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Direct } from '../../simulator/src/direct/doubles.ts'
import { APP } from '../../simulator/src/direct/providers-file.ts'
import { PLATFORMS_OF, type Kind } from '../../simulator/src/wall/push.ts'
import type { Random } from '../../server/test/support/random.ts'

/** The phones of a scenario where each provider has some. */
export const EVERY_KIND = ['expo', 'apns', 'fcm', 'web'] as const satisfies Kind[]
export type PhoneKind = (typeof EVERY_KIND)[number]

/** The name of its provider in the service, and a token that its double takes; `n` differs for each phone. */
type Phone = { provider: string; drawToken(direct: Direct, n: number): string }

const PHONES: Record<Exclude<PhoneKind, 'expo'>, Phone> = {
  apns: {
    provider: `apns/${APP}/production`,
    drawToken: (_, n) => createHash('sha256').update(`phone ${n}`).digest('hex'),
  },
  fcm: { provider: `fcm/${APP}`, drawToken: (_, n) => `phone-of-torture-${n}:APA91b${'x'.repeat(134)}` },
  web: { provider: `web/${APP}`, drawToken: ({ browsers }) => browsers.subscribe() },
}

/** The providers to which the service speaks itself, by their names in its database. */
export const DIRECT_PROVIDERS = Object.values(PHONES).map(({ provider }) => provider)

// Others were never accepted, or refused last.
const PROVEN = 0.9

/** Divides the phones of Expo's service among these kinds; most of their tokens were accepted before. */
export async function dividePhones(
  pool: Pool,
  { direct, random }: { direct: Direct; random: Random },
  kinds: readonly PhoneKind[],
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from mobile_devices order by id')
  const phones = rows.flatMap(({ id }, n) => {
    const kind = kinds[n % kinds.length] ?? 'expo'
    if (kind === 'expo') return []
    const { provider, drawToken } = PHONES[kind]
    const [platform] = PLATFORMS_OF[kind]
    return [{ id, provider, platform, token: drawToken(direct, n), is_proven: random.next() < PROVEN }]
  })
  await pool.query(
    `update mobile_devices d set provider = p.provider, platform = p.platform, token = p.token, is_proven = p.is_proven
     from json_populate_recordset(null::mobile_devices, $1) p where d.id = p.id`,
    [JSON.stringify(phones)],
  )
}
