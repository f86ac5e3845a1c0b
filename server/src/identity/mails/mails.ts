import { countIn } from '../../platform/limits/rate-limit.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { MailKind } from '../../platform/tables/account-tables.ts'
import type { Work } from '../../platform/work/work.ts'
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

export function sendsMail({ config }: Pick<Work, 'config'>): boolean {
  return config.MAIL_URL !== ''
}

export function refuseWithoutMail(settings: Pick<Work, 'config'>): void {
  if (!sendsMail(settings)) throw errors.noMail()
}

type NewMail = { kind: MailKind; userId: number | null; address: string }

/**
 * ADR 10. `userId` null: the account with the address is found when the mail is sent. Without MAIL_URL it does nothing,
 * and beyond the limits of an address it queues none, whoever causes it: earlier links work. Strangers must not learn
 * what it returns, which is whether a mail was queued.
 */
export async function queueMail(work: Work, mail: NewMail): Promise<boolean> {
  if (!sendsMail(work) || (await isFlooded(work, mail))) return false
  const { kind, userId, address } = mail
  const at = work.now()
  const times = { created_at: at, due_at: at, useful_until: work.now(USEFUL_MS[kind]) }
  await insertMail(work.tx, { kind, user_id: userId, address, ...times })
  work.announce('mails')
  return true
}

/**
 * Each kind counts alone, so that nobody keeps back the news of a change by asking for links. A link to confirm may go
 * to a stranger, so an address and an account have few a day; for other kinds such a limit would keep an owner out.
 */
async function isFlooded(work: Work, { kind, userId, address }: NewMail): Promise<boolean> {
  const subject = `${kind} ${toMailbox(address)}`
  const isExceeded = async (name: 'mail-address' | 'mail-confirm-day', counted: string) =>
    (await countIn(work, { name, subject: counted })) > 1
  // A mail that is not sent uses up nothing of a day.
  if (await isExceeded('mail-address', subject)) return true
  if (kind !== 'address_confirm') return false
  return (await isExceeded('mail-confirm-day', subject)) || isExceeded('mail-confirm-day', `${kind} of ${userId}`)
}

/** Mailboxes ignore what stands after a plus sign, those of Gmail dots too, and it has two hosts. */
function toMailbox(address: string): string {
  const plain = address.toLowerCase().replace(/\+[^@]*/, '')
  const [name = '', host = ''] = plain.split('@')
  return /^g(?:oogle)?mail\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : plain
}
