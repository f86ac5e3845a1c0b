import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'

export type KeyedCall = { caller: string; route: string; key: string }

export type Claim = KeyedCall & { bodyHash: Buffer; claimUntil: Date; expiresAt: Date }

/** Takes over calls that expired, and those of the same body whose claim ran out, as its process died. */
export async function insertClaim(db: Db, claim: Claim, knownHashes: Buffer[], now: Date): Promise<boolean> {
  const { caller, route, key, bodyHash, claimUntil, expiresAt } = claim
  const { rows } = await sql`
    insert into idempotency_keys as held (caller, route, key, body_hash, claim_until, expires_at)
    values (${caller}, ${route}, ${key}, ${bodyHash}, ${claimUntil}, ${expiresAt})
    on conflict (caller, route, key) do update
    set body_hash = excluded.body_hash, claim_until = excluded.claim_until, expires_at = excluded.expires_at,
        status_code = null, answer = null
    where held.expires_at <= ${now}
       or (held.answer is null and held.claim_until <= ${now} and held.body_hash = any(${knownHashes}::bytea[]))
    returning 1`.execute(db)
  return rows.length > 0
}

export function findKeyedCall(db: Db, { caller, route, key }: KeyedCall, now: Date) {
  return db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'claim_until', 'status_code', 'answer'])
    .where((on) => on.and({ caller, route, key }))
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** False when another request has the claim, or the answer is stored. */
export async function storeAnswer(
  db: Db | Tx,
  claim: Claim,
  { statusCode, answer, about }: { statusCode: number; answer: Buffer; about: number[] },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update idempotency_keys
    set status_code = ${statusCode}, answer = ${answer}, about = ${about.length > 0 ? about : null}::bigint[]
    where ${isOpen(claim)}`.execute(db)
  return numAffectedRows > 0n
}

export async function deleteClaim(db: Db, claim: Claim): Promise<void> {
  await sql`delete from idempotency_keys where ${isOpen(claim)}`.execute(db)
}

function isOpen({ caller, route, key, claimUntil }: Claim): RawBuilder<unknown> {
  return sql`caller = ${caller} and route = ${route} and key = ${key} and claim_until = ${claimUntil} and answer is null`
}

/** ADR 15: answers to these people are deleted, answers about them are emptied. */
export async function forgetUserAnswers(tx: Tx, userIds: number[]): Promise<void> {
  await sql`delete from idempotency_keys
    where caller in (select 'user:' || id from unnest(${userIds}::bigint[]) id)`.execute(tx)
  await sql`
    update idempotency_keys set answer = ''::bytea, about = null
    where about && ${userIds}::bigint[] and about is not null`.execute(tx)
}
