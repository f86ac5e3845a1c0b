import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { fromNow } from '../shared/clock.ts'
import { decrypt, encrypt, keyFrom, listSigningSecrets } from '../secrets/encryption.ts'
import { insertKey, listKeys, lockChainEnd } from './audit.queries.ts'
import { recordAuditAtOnce, THE_SERVICE, type Signing } from './audit.ts'
import type { AuditTables } from '../tables/audit-tables.ts'
import type { AuditKey, AuditKeys } from './chain.ts'

export type Registration = { key: AuditKey; since: number }

type Secrets = Pick<Config, 'AUDIT_SECRET' | 'AUDIT_PREVIOUS_SECRET' | 'JWT_SECRET' | 'JWT_PREVIOUS_SECRET'>

/** Keys of the configured secrets, AUDIT_SECRET first, and keys in the table that these open (ADR 12). */
export async function openAuditKeys(db: Db, config: Secrets): Promise<AuditKeys> {
  const secrets = listSecrets(config)
  const derived = secrets.map(auditKeyFrom)
  const kept = (await keptKeys(db, config)).map(({ key }) => key)
  return { current: derived[0]!, byId: new Map([...kept, ...derived].map((key) => [key.id, key])) }
}

/** It runs before the key signs anything. The key's first entry follows at once, so that nothing before it can be
 * changed. */
export async function registerAuditKey(deps: Signing & { db: Db; config: Config }): Promise<void> {
  const { db, config, auditKeys } = deps
  const [secret] = listSecrets(config)
  await inTransaction(db, async (tx) => {
    const end = await lockChainEnd(tx)
    const rows = await listKeys(tx)
    const own = rows.find((row) => row.key_id === auditKeys.current.id)
    const since = end?.audit_id ?? 0
    const at = fromNow(deps.clock)
    const store = (registration: Registration, registeredAt: Date) =>
      insertKey(tx, toRow(registration, secret!, registeredAt))
    if (own === undefined) await store({ key: auditKeys.current, since }, at)
    // Never encrypts a key with an older secret: an old secret must not decrypt a new key.
    const older = rows.filter(({ registered_at }) => registered_at < (own?.registered_at ?? at))
    for (const row of older) {
      if (rows.some((other) => other.key_id === row.key_id && other.secret_id === toKeyId(secret!))) continue
      const opened = openRow(row, listSecrets(config))
      if (opened) await store(opened, row.registered_at)
    }
    if (own === undefined && since > 0)
      await recordAuditAtOnce(tx, deps, THE_SERVICE, { action: 'audit.key', entity: 'audit-log', entityId: since })
  })
}

export async function keptKeys(db: Db | Tx, config: Secrets): Promise<Registration[]> {
  const secrets = listSecrets(config)
  const opened = (await listKeys(db)).map((row) => openRow(row, secrets)).filter((row) => row !== undefined)
  return [...new Map(opened.map((registration) => [registration.key.id, registration])).values()]
}

/** Another secret than that of the service would sign entries that nobody can check. */
export async function expectOwnKey({ db, auditKeys }: { db: Db; auditKeys: AuditKeys }): Promise<void> {
  const rows = await listKeys(db)
  if (rows.length === 0 || rows.some(({ key_id }) => key_id === auditKeys.current.id)) return
  throw new Error(
    'The audit log is signed with another secret: set AUDIT_SECRET, or JWT_SECRET, as the service has it.',
  )
}

type Row = AuditTables['audit_keys']

function listSecrets(config: Secrets): string[] {
  const [present = '', ...retired] = listSigningSecrets(config)
  const all = [config.AUDIT_SECRET, present, config.AUDIT_PREVIOUS_SECRET, ...retired]
  return all.filter((secret) => secret !== '')
}

function auditKeyFrom(secret: string): AuditKey {
  const key = keyFrom(secret, 'audit key')
  return { id: createHash('sha256').update(key).digest('base64url').slice(0, 16), secret: key }
}

function toKeyId(secret: string): string {
  return keyFrom(secret, 'audit secret id').toString('base64url').slice(0, 16)
}

function toRow({ key, since }: Registration, secret: string, registeredAt: Date): Row {
  const text = JSON.stringify({ secret: key.secret.toString('base64'), since })
  const sealed = encrypt(keyFrom(secret, 'audit key seal'), Buffer.from(text), key.id)
  return { key_id: key.id, secret_id: toKeyId(secret), sealed, registered_at: registeredAt }
}

function openRow({ key_id, secret_id, sealed }: Row, secrets: string[]): Registration | undefined {
  const secret = secrets.find((candidate) => toKeyId(candidate) === secret_id)
  if (secret === undefined) return undefined
  try {
    const text = decrypt(keyFrom(secret, 'audit key seal'), sealed, key_id).toString('utf8')
    const { secret: kept, since } = JSON.parse(text) as { secret: string; since: number }
    return { key: { id: key_id, secret: Buffer.from(kept, 'base64') }, since }
  } catch {
    return undefined
  }
}
