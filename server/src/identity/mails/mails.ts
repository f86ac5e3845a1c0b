import type { Tx } from '../../platform/db/connect.ts'
import type { IdentityDeps } from '../deps.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { MailKind } from '../../platform/tables/account-tables.ts'
import { insertMail } from './mails.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** People can request a link again; news about an account is still useful later. */
const USEFUL_MS: Record<MailKind, number> = {
  password_forgotten: 30 * MINUTE_MS,
  address_confirm: 4 * HOUR_MS,
  password_changed: 48 * HOUR_MS,
  address_changed: 48 * HOUR_MS,
  account_deleted: 48 * HOUR_MS,
}

export type QueueDeps = Pick<IdentityDeps, 'config' | 'clock' | 'queue' | 'rateLimits'>

export function sendsMail({ config }: Pick<IdentityDeps, 'config'>): boolean {
  return config.MAIL_URL !== ''
}

export function refuseWithoutMail(deps: Pick<IdentityDeps, 'config'>): void {
  if (!sendsMail(deps)) throw errors.noMail()
}

/**
 * ADR 10. `userId` null: whoever has the address is found when it is sent. Without MAIL_URL it does nothing, and none
 * is queued beyond the limits of an address, whoever causes it: earlier links work. Strangers must not learn what it
 * gives, which is whether one was queued.
 */
export async function queueMail(
  deps: QueueDeps,
  tx: Tx,
  { kind, userId, address }: { kind: MailKind; userId: number | null; address: string },
): Promise<boolean> {
  if (!sendsMail(deps) || (await isFlooded(deps, tx, { kind, userId, address }))) return false
  const now = fromNow(deps.clock)
  const times = { created_at: now, due_at: now, useful_until: fromNow(deps.clock, USEFUL_MS[kind]) }
  await insertMail(tx, { kind, user_id: userId, address, ...times })
  announceAfter(deps.queue, tx, 'mails')
  return true
}

/**
 * Each kind counts alone, so that nobody keeps back the news of a change by asking for links. A link to confirm may go
 * to a stranger, so an address and an account have few a day; for other kinds such a limit would keep an owner out.
 */
async function isFlooded(
  { rateLimits }: QueueDeps,
  tx: Tx,
  { kind, userId, address }: { kind: MailKind; userId: number | null; address: string },
): Promise<boolean> {
  // Mailboxes ignore what stands after a plus sign.
  const subject = `${kind} ${address.toLowerCase().replace(/\+[^@]*/, '')}`
  const isOver = async (limit: 'mail-address' | 'mail-confirm-day', whose: string) =>
    (await rateLimits.countIn(tx, limit, whose)) > 1
  // What is not sent uses up nothing of a day.
  if (await isOver('mail-address', subject)) return true
  if (kind !== 'address_confirm') return false
  return (await isOver('mail-confirm-day', subject)) || isOver('mail-confirm-day', `${kind} of ${userId}`)
}
