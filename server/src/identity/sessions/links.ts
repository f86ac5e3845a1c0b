import { createHmac, randomUUID } from 'node:crypto'
import type { Tx } from '../../platform/db/connect.ts'
import type { IdentityDeps } from '../deps.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { isSameSecret, keyFrom, listSigningSecrets } from '../../platform/secrets/encryption.ts'
import { insertUsedLink } from './links.queries.ts'
import { can, type Permission, type Principal } from '../../platform/rights/permissions.ts'

type LinkTarget = { purpose: 'export-file' | 'progress'; id: number }

export type FollowedLink = { linkId: string; holder: Principal; expiresAt: Date }

/** Downloads and an EventSource cannot send a header (ADR 10). The link ends with its session. */
export function signLink(
  { config, clock }: Pick<IdentityDeps, 'config' | 'clock'>,
  { holder, target, seconds }: { holder: Pick<Principal, 'userId' | 'sessionId'>; target: LinkTarget; seconds: number },
): { link: string; expiresAt: Date } {
  const expires = Math.floor(clock.now() / 1_000) + seconds
  const claims = [randomUUID(), holder.userId, holder.sessionId, expires] satisfies Claims
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return { link: `${payload}.${signPayload(config.JWT_SECRET, target, payload)}`, expiresAt: new Date(expires * 1_000) }
}

/** Every failure gets the same 404. */
export async function followLink(
  { config, clock, sessions }: Pick<IdentityDeps, 'config' | 'clock' | 'sessions'>,
  { link, target, permission }: { link: string; target: LinkTarget; permission: Permission },
): Promise<FollowedLink> {
  const [payload = '', signature = ''] = link.split('.')
  if (!listSigningSecrets(config).some((secret) => isSameSecret(signPayload(secret, target, payload), signature)))
    throw noLink()
  const [linkId, userId, sessionId, expires] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
  if (expires * 1_000 <= clock.now()) throw noLink()
  const holder = await sessions.check({ userId, sessionId }).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 401 ? noLink() : error
  })
  if (!can(holder.role, permission)) throw noLink()
  return { linkId, holder, expiresAt: new Date(expires * 1_000) }
}

/** The same 404 when it was used before. */
export async function markUsed(tx: Tx, followed: FollowedLink): Promise<void> {
  if (!(await insertUsedLink(tx, followed))) throw noLink()
}

type Claims = [linkId: string, userId: number, sessionId: string, expires: number]

function signPayload(secret: string, { purpose, id }: LinkTarget, payload: string): string {
  return createHmac('sha256', keyFrom(secret, `link ${purpose}`))
    .update(`${id} ${payload}`)
    .digest('base64url')
}

function noLink(): AppError {
  return errors.notFound('This link')
}
