import { createHash, randomBytes } from 'node:crypto'
import type { MarketplaceTables } from '../../db/marketplace-tables.ts'

/** One entry of the audit log, chained to the one before by its hash. */
export type Link = MarketplaceTables['audit_log']

/** What an entry tells about a person, kept beside it so that it can be forgotten. */
export type Details = {
  part: 'change' | 'origin'
  subject_id: number | null
  salt: string
  content: Record<string, unknown>
}

/** What the first entry is chained to. */
export const CHAIN_START = '0'.repeat(64)

/** An entry's hash: over all of it, and the hash of the one before. */
export function hashOf(link: Omit<Link, 'hash'>): string {
  return sha256(
    JSON.stringify([
      link.previous_hash,
      link.audit_id,
      link.at.toISOString(),
      link.actor_id,
      link.actor_role,
      link.action,
      link.entity,
      link.entity_id,
      link.request_id,
      link.change_digest,
      link.origin_digest,
    ]),
  )
}

/** A new salt; without it a digest cannot be matched with a guess of what was digested. */
export function newSalt(): string {
  return randomBytes(16).toString('base64url')
}

/** The digest of details, by which the chain holds them. */
export function digestOf({ salt, content }: Pick<Details, 'salt' | 'content'>): string {
  return sha256(`${salt}\n${JSON.stringify(sorted(content))}`)
}

/** With the keys of every object in one order: the database keeps them in its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
