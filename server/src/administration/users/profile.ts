import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { can } from '../../identity/permissions/permissions.ts'
import { findProfile, type ProfileRow } from './profile.queries.ts'

/** The profile of a user, deleted or not: one's own, or any with the right to (decision C5). Else 403; 404 when there is none. */
export async function profileOf(deps: Pick<Deps, 'pool' | 'clock'>, actor: Actor, userId: number): Promise<ProfileRow> {
  if (userId !== actor.userId && (actor.role === null || !can(actor.role, 'users')))
    throw errors.forbidden({ entity: 'user', entityId: userId })
  const profile = await findProfile(deps.pool, userId, fromNow(deps.clock))
  if (profile === undefined) throw errors.notFound('This user')
  return profile
}
