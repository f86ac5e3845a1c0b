import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { deletePowers, insertPower, isOnePerson, type Two } from './powers.queries.ts'

export const POWER_MS = 7 * 86_400_000

/** `actorId` made the account, or gave it a password, an address, a role or its activity back. */
export async function notePower(
  { tx, now }: Work,
  { actorId, subjectId }: { actorId: number; subjectId: number },
): Promise<void> {
  if (actorId !== subjectId) await insertPower(tx, { actorId, subjectId, at: now() })
}

/** 409 CONFLICT for two accounts that one person may hold (ADR 12). */
export async function refuseOnePerson({ tx, now }: Work, two: Two): Promise<void> {
  if (await isOnePerson(tx, { two, since: now(-POWER_MS) }))
    throw errors.conflict(
      'One person may hold both of your accounts. In the last seven days one of you, or a third account, made one of them or changed its password, address, role or status. Another administrator must approve this.',
    )
}

/** The operator says that two accounts belong to two people. False while a third account has power over both. */
export async function declareTwoPeople({ tx, now }: Work, two: Two): Promise<boolean> {
  await deletePowers(tx, two)
  return !(await isOnePerson(tx, { two, since: now(-POWER_MS) }))
}
