import type { PushDeps } from '../../push/deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { gather } from '../../platform/concurrency/gather.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { failedSignIns } from '../../identity/sign-in/login-budget.ts'
import { can } from '../../platform/rights/permissions.ts'
import { findProfiles, type ProfileRow } from './profile.queries.ts'

const MOST_ASKED = 50

/** One's own, or any with the right to (decision C5), deleted or not; else 403. */
export type Profiles = (actor: Actor, userId: number) => Promise<FoundProfile>

export type FoundProfile = ProfileRow & { failedSignIns: number | undefined }

/** They are asked for at one time, so they are found together (ADR 9). */
export function createProfiles(deps: Pick<PushDeps, 'pool' | 'clock' | 'rateLimits'>): Profiles {
  const { pool, clock } = deps
  const find = gather((ids: number[]) => findProfiles(pool, ids, fromNow(clock)), MOST_ASKED)
  return async (actor, userId) => {
    if (userId !== actor.userId && (actor.role === null || !can(actor.role, 'users')))
      throw errors.forbidden({ entity: 'user', entityId: userId })
    const [row, failures] = await Promise.all([find(userId), failedSignIns(deps, userId)])
    return { ...existing(row, 'This user'), failedSignIns: failures }
  }
}
