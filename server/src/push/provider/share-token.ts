import { createHash } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { decrypt, encrypt, keyFrom, listSigningSecrets } from '../../platform/secrets/encryption.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import type { ShareToken } from './provider.ts'
import { lockSharedToken, storeSharedToken } from './shared-tokens.queries.ts'

type Signed = { token: string; signedAt: Date }

const MAX_AHEAD_MS = 60_000

/** All providers that have one key share its token, because Apple counts the signatures of a key. */
export function createShareToken(
  { db, clock, config }: { db: Db; clock: Clock; config: Config },
  { kind, key }: { kind: string; key: string },
): ShareToken {
  const [secret = ''] = listSigningSecrets(config)
  const sealing = keyFrom(secret, 'tokens of providers')
  const keyId = createHash('sha256').update(key).digest('base64url').slice(0, 22)
  const latest = new Map<string, Signed>()
  const reading = new Map<string, Promise<Signed>>()
  return async (sign, freshForMs, about = '') => {
    const name = [kind, keyId, about].join(' ').trim()
    const isFresh = ({ signedAt }: Signed) => {
      const age = clock.now() - signedAt.getTime()
      // A clock that was ahead, and was set right, has signed in what is now the future.
      return age > -MAX_AHEAD_MS && age < freshForMs
    }
    const known = latest.get(name)
    if (known !== undefined && isFresh(known)) return known
    const read = async (): Promise<Signed> => {
      const signed = await inTransaction(db, async (tx) => {
        const row = await lockSharedToken(tx, name)
        const kept = row && open(row.sealed, name)
        if (kept !== undefined && isFresh({ token: kept, signedAt: row!.signed_at }))
          return { token: kept, signedAt: row!.signed_at }
        const signedAt = fromNow(clock)
        const token = await sign(signedAt)
        const sealed = encrypt(sealing, Buffer.from(token), name)
        await storeSharedToken(tx, name, { sealed, signed_at: signedAt })
        return { token, signedAt }
      })
      latest.set(name, signed)
      return signed
    }
    // Hundreds of pushes ask at once, and each transaction would hold a connection while it waits for the lock.
    const question = `${name} ${freshForMs}`
    const first = reading.get(question) ?? read().finally(() => reading.delete(question))
    reading.set(question, first)
    return first
  }
  function open(sealed: Buffer, name: string): string | undefined {
    try {
      return decrypt(sealing, sealed, name).toString()
    } catch {
      // It was sealed with a secret before a rotation.
      return undefined
    }
  }
}
