import { createHash, createHmac, randomBytes } from 'node:crypto'
import { canonicalJson } from '../shared/canonical.ts'
import type { AuditTables } from '../tables/audit-tables.ts'

export type Link = AuditTables['audit_log']

/** Personal data of an entry, stored beside it so that it can be deleted. */
export type Details = {
  part: 'change' | 'origin'
  subject_id: number | null
  salt: string
  content: Record<string, unknown>
}

/** An entry that is not in the log yet. */
export type Written = {
  unchained: Omit<Link, 'audit_id' | 'previous_hash' | 'key_id' | 'hash'>
  details: Details[]
}

export type AuditKey = { id: string; secret: Buffer }

export type AuditKeys = { current: AuditKey; byId: ReadonlyMap<string, AuditKey> }

export const CHAIN_START = '0'.repeat(64)

export function hashWithKey(link: Omit<Link, 'hash'>, key: AuditKey): string {
  return sign(key, 'entry', [
    link.previous_hash,
    link.audit_id,
    link.at.toISOString(),
    link.actor_id,
    link.actor_role,
    link.action,
    link.entity,
    link.entity_id,
    link.change_digest,
    link.origin_digest,
    link.key_id,
    link.times,
    link.change_subject_id,
    link.origin_subject_id,
  ])
}

export function headMac(head: { audit_id: number; hash: string }, key: AuditKey): string {
  return sign(key, 'head', [head.audit_id, head.hash])
}

export function waitingMac(entry: string, key: AuditKey): string {
  return sign(key, 'waiting', [entry])
}

/** Without it, the digest could be matched with a guessed content. */
export function newSalt(): string {
  return randomBytes(16).toString('base64url')
}

export function hashDetails({ salt, content }: Pick<Details, 'salt' | 'content'>): string {
  return sha256(`${salt}\n${canonicalJson(content)}`)
}

function sign({ secret }: AuditKey, purpose: string, content: unknown[]): string {
  return createHmac('sha256', secret)
    .update(`${purpose}\n${JSON.stringify(content)}`)
    .digest('hex')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
