import { createSigner } from 'fast-jwt'
import type { Clock } from '../../../platform/shared/clock.ts'
import type { ShareToken } from '../provider.ts'

const MINUTE_MS = 60_000
/** Apple refuses a token after an hour, and a new one within 20 minutes. This makes at most two an hour. */
const FRESH_MS = 40 * MINUTE_MS
/** A refused one may be replaced after this, which still makes at most two an hour. */
const LEAST_MS = 30 * MINUTE_MS
/** The last token is used for this long while the database is away. */
const USABLE_MS = 55 * MINUTE_MS

export type ProviderKey = { team: string; keyId: string; key: string }

export type ProviderJwt = ReturnType<typeof createProviderJwt>

/** The provider token of all processes: one signs it, the others read it, and each keeps it in memory. */
export function createProviderJwt(from: ProviderKey, { share, clock }: { share: ShareToken; clock: Clock }) {
  const signer = createSigner({ algorithm: 'ES256', key: from.key, kid: from.keyId })
  const sign = (now: Date) => signer({ iss: from.team, iat: Math.floor(now.getTime() / 1_000) })
  let kept: { token: string; signedAt: Date } | undefined
  let reading: Promise<string> | undefined
  const isYounger = (ms: number) => {
    if (kept === undefined) return false
    const age = clock.now() - kept.signedAt.getTime()
    // A clock that was ahead has signed in what is now the future.
    return age >= -MINUTE_MS && age < ms
  }
  const read = async (freshMs: number): Promise<string> => {
    // A token of another team or key id, as these were before a correction, is not this one.
    kept = await share(sign, freshMs, `${from.team} ${from.keyId}`)
    return kept.token
  }
  return {
    /** Rejects while the database is away and no token is usable. */
    async current(): Promise<string> {
      if (kept && isYounger(FRESH_MS)) return kept.token
      reading ??= read(FRESH_MS).finally(() => (reading = undefined))
      try {
        return await reading
      } catch (error) {
        if (kept && isYounger(USABLE_MS)) return kept.token
        throw error
      }
    },
    /** Another token than the one that Apple calls too old; undefined where that was signed a moment ago. */
    async replace(refused: string): Promise<string | undefined> {
      if (kept && kept.token !== refused) return kept.token
      reading ??= read(LEAST_MS).finally(() => (reading = undefined))
      const token = await reading
      return token === refused ? undefined : token
    },
  }
}
