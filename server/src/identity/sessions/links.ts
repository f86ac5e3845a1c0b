import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../platform/db/connect.ts'
import type { Deps } from '../../deps.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { insertUsedLink } from './links.queries.ts'
import { can, type Permission } from '../permissions/permissions.ts'
import type { Principal } from './sessions.ts'

/** What a signed link opens: the file of an export or the progress of a message, and its id. */
export type LinkTarget = { purpose: 'export-file' | 'progress'; id: number }

/** A valid link that has not expired, with its holder's present account. */
export type FollowedLink = { linkId: string; holder: Principal; expiresAt: Date }

/**
 * A signed text that replaces its holder's access token in an address, for `seconds` and one target: in browsers, a
 * download and an EventSource cannot send a header (ADR 029). It ends with the session that it was signed for.
 */
export function signLink(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  holder: { userId: number; sessionId: string },
  target: LinkTarget,
  seconds: number,
): { link: string; expiresAt: Date } {
  const expires = Math.floor(clock.now() / 1_000) + seconds
  const claims = [randomUUID(), holder.userId, holder.sessionId, expires] satisfies Claims
  const said = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return { link: `${said}.${signatureOf(config.JWT_SECRET, target, said)}`, expiresAt: new Date(expires * 1_000) }
}

/**
 * Follows a link to a target. Every failure gets the same 404: the link is forged, has expired, or is for something
 * else; its session has ended; or the account has no `permission` any more.
 */
export async function followLink(
  { config, clock, sessions }: Pick<Deps, 'config' | 'clock' | 'sessions'>,
  link: string,
  target: LinkTarget,
  permission: Permission,
): Promise<FollowedLink> {
  const [said = '', signature = ''] = link.split('.')
  const secrets = [config.JWT_SECRET, config.JWT_PREVIOUS_SECRET].filter((secret) => secret !== '')
  if (!secrets.some((secret) => isSame(signatureOf(secret, target, said), signature))) throw noLink()
  const [linkId, userId, sessionId, expires] = JSON.parse(Buffer.from(said, 'base64url').toString()) as Claims
  if (expires * 1_000 <= clock.now()) throw noLink()
  const holder = await sessions.check({ userId, sessionId }).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 401 ? noLink() : error
  })
  if (!can(holder.role, permission)) throw noLink()
  return { linkId, holder, expiresAt: new Date(expires * 1_000) }
}

/** Marks a link as used within a transaction: the same 404 when it was used before. */
export async function markUsed(tx: Tx, { linkId, expiresAt }: FollowedLink): Promise<void> {
  if (!(await insertUsedLink(tx, linkId, expiresAt))) throw noLink()
}

type Claims = [linkId: string, userId: number, sessionId: string, expires: number]

function signatureOf(secret: string, { purpose, id }: LinkTarget, said: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `link ${purpose}`, 32))
  return createHmac('sha256', key).update(`${id} ${said}`).digest('base64url')
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function noLink(): AppError {
  return errors.notFound('This link')
}
