import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { errors, isExpected, type Expected } from '../../platform/shared/errors.ts'
import { findLanguage, LANGUAGES } from '../../platform/shared/languages.ts'
import { isZone, NO_ZONE } from '../../platform/shared/zones.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { wakePushes } from '../../push/checks/checks.ts'
import { auditAccount, changeAccount, lockedAccount } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import { findProfile, type Profile } from './profile.queries.ts'

export type ProfileChange = Partial<Pick<Account, (typeof FIELDS)[number]>>

/** 409 DUPLICATE for a username of another, 412 with the profile for another version, 422 for an unknown language or
 * time zone (decision E). Changes of staff are in the audit log. */
export async function changeProfile(
  work: Work,
  { sessions, expected, change }: { sessions: Sessions; expected: Expected; change: ProfileChange },
): Promise<Profile> {
  const { tx } = work
  const userId = callerId(work)
  const checkedChange = checked(change)
  const before = await lockedAccount(tx, userId)
  if (!isExpected(expected, before.version)) throw errors.staleVersion(await present(tx, userId))
  const changed = FIELDS.filter((field) => checkedChange[field] !== undefined && checkedChange[field] !== before[field])
  if (changed.length === 0) return present(tx, userId)
  const pick = (from: ProfileChange) => Object.fromEntries(changed.map((field) => [field, from[field]]))
  await changeAccount(work, { before, change: pick(checkedChange) })
  const entry = { action: 'user.update', before: pick(before), after: pick(checkedChange) }
  if (before.role !== 'user') await auditAccount(work, userId, entry)
  if (changed.includes('time_zone')) await wakePushes(work, userId)
  afterCommit(tx, () => sessions.forget(userId))
  return present(tx, userId)
}

const FIELDS = ['name', 'username', 'city', 'avatar_url', 'language', 'time_zone'] as const

function checked(change: ProfileChange): ProfileChange {
  const { language, time_zone: zone } = change
  if (zone !== undefined && !isZone(zone)) throw errors.validation({ time_zone: [NO_ZONE] })
  return { ...change, ...(language !== undefined && { language: findLanguage(language) ?? LANGUAGES[0] }) }
}

async function present(tx: Tx, userId: number): Promise<Profile> {
  const profile = await findProfile(tx, userId)
  if (profile === undefined) throw errors.unauthenticated()
  return profile
}
