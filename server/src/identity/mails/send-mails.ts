import { isBarred } from '../accounts/barred.ts'
import type { IdentityDeps } from '../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { newToken } from '../../platform/secrets/encryption.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import type { MailKind, TokenPurpose } from '../../platform/tables/account-tables.ts'
import type { Mail, MailAnswer, Mailer } from './mailer.ts'
import {
  assignMails,
  claimMails,
  deleteMails,
  endAttempt,
  endLateMails,
  findRecipients,
  restUntilMail,
  type ClaimedMail,
  type Recipient,
} from './mails.queries.ts'
import { TOKEN_MS } from '../accounts/tokens.ts'
import { insertTokens, type NewToken } from '../accounts/tokens.queries.ts'

export type RenderMail = (language: string, kind: MailKind, link: string) => { subject: string; text: string }

type Sender = Pick<IdentityDeps, 'db' | 'clock' | 'config' | 'log' | 'metrics'> & { mailer: Mailer }

const AT_ONCE = 10
const LEASE_MS = 120_000
// Less than the lease, so that a worker never settles a mail that another has claimed.
const LONGEST_MS = 60_000
const RETRY_MS = { least: 5_000, most: 300_000 }
const ROUND_WITHIN_MS = 120_000

const LINKS: Partial<Record<MailKind, { path: string; purpose: TokenPurpose }>> = {
  password_forgotten: { path: 'reset-password', purpose: 'password' },
  address_confirm: { path: 'confirm-email', purpose: 'address' },
}

type Prepared = { claimed: ClaimedMail; recipient: Recipient; link: string; token: NewToken | undefined }

/** ADR 10. The signal ends it, after the mails in hand. */
export async function startMails(
  deps: Omit<Sender, 'mailer'> & Pick<IdentityDeps, 'mailer' | 'loops'>,
  render: RenderMail,
  { work, signal }: { work: WakeSignal; signal: AbortSignal },
): Promise<void> {
  const { mailer, loops, log } = deps
  if (mailer === undefined) return
  const failed = (error: unknown) => log.warn({ err: error }, 'mails could not be sent; that is tried again')
  await loops.run({ name: 'mails', work, signal, withinMs: ROUND_WITHIN_MS, failed }, async () => {
    const { claimed } = await sendMails({ ...deps, mailer }, render)
    return claimed > 0 ? 0 : restUntilMail(deps.db, deps.clock.now())
  })
}

/** One round sends ten of the mails that are due. */
export async function sendMails(deps: Sender, render: RenderMail): Promise<{ claimed: number; sent: number }> {
  const late = await endLateMails(deps.db, fromNow(deps.clock))
  deps.metrics.mails.ended('failed', late)
  if (late > 0) deps.log.error({ mails: late }, 'mails were not sent in their time; they are given up')
  const { claimed, prepared } = await claim(deps)
  const outcomes = await Promise.all(prepared.map((mail) => sendOne(deps, mail, render)))
  return { claimed, sent: outcomes.filter(Boolean).length }
}

/** A link is stored as a hash before its mail leaves; a second try has a link of its own, and both work. */
function claim(deps: Sender): Promise<{ claimed: number; prepared: Prepared[] }> {
  return inTransaction(deps.db, async (tx) => {
    const leaseUntil = fromNow(deps.clock, LEASE_MS)
    const mails = await claimMails(tx, { limit: AT_ONCE, now: fromNow(deps.clock), leaseUntil })
    const ids = mails.map((mail) => mail.mail_id)
    if (ids.length === 0) return { claimed: 0, prepared: [] }
    await assignMails(tx, ids)
    const recipients = new Map((await findRecipients(tx, ids)).map((recipient) => [recipient.mail_id, recipient]))
    const prepared = mails.flatMap((claimed): Prepared[] => {
      const recipient = recipients.get(claimed.mail_id)
      return recipient && isMeant(claimed.kind, recipient)
        ? [{ claimed, recipient, ...buildLink(deps, claimed, recipient) }]
        : []
    })
    const meant = new Set(prepared.map(({ claimed }) => claimed.mail_id))
    const unmeant = ids.filter((id) => !meant.has(id))
    await deleteMails(tx, unmeant)
    const tokens = prepared.flatMap(({ token }) => token ?? [])
    await insertTokens(tx, tokens)
    return { claimed: ids.length, prepared }
  })
}

/** The token stands after the #, which browsers send to nobody. */
function buildLink({ clock, config }: Sender, { kind }: ClaimedMail, { user_id, address }: Recipient) {
  const target = LINKS[kind]
  if (target === undefined) return { link: '', token: undefined }
  const { token, hash } = newToken()
  const base = config.MAIL_LINK_BASE.endsWith('/') ? config.MAIL_LINK_BASE : `${config.MAIL_LINK_BASE}/`
  const stored = { token_hash: hash, user_id, purpose: target.purpose, address, expires_at: fromNow(clock, TOKEN_MS) }
  return { link: `${base}${target.path}#token=${token}`, token: stored }
}

function isMeant(kind: MailKind, { address, status, deleted_at, email, pending_email }: Recipient): boolean {
  if (LINKS[kind] === undefined) return true
  if (deleted_at !== null || isBarred(status)) return false
  return kind !== 'address_confirm' || [email, pending_email].includes(address)
}

type Answer = MailAnswer | { outcome: 'unknown'; code: string }

async function sendOne(deps: Sender, { claimed, recipient, link }: Prepared, render: RenderMail): Promise<boolean> {
  const { mail_id, kind, created_at } = claimed
  const content = render(recipient.language, kind, link)
  const mail: Mail = { id: `mail-${mail_id}-${created_at.getTime()}`, to: recipient.address, ...content }
  const answer = await answerTo(deps.mailer, mail)
  const { outcome } = answer
  await settle(deps, claimed, answer).catch((error: unknown) =>
    deps.log.error(
      { err: error, mail_id, kind, outcome },
      'the outcome of a mail could not be stored; it is sent again',
    ),
  )
  return outcome === 'accepted'
}

/** After a minute the mail may have been sent, and is sent again. */
async function answerTo(mailer: Mailer, mail: Mail): Promise<Answer> {
  const timer = new AbortController()
  const sent = mailer.send(mail).catch((error: unknown): Answer => {
    const { code = 'UNKNOWN' } = error as { code?: string }
    return { outcome: 'unknown', code }
  })
  const late = sleep(LONGEST_MS, timer.signal).then((): Answer => ({ outcome: 'unknown', code: 'ETIMEDOUT' }))
  return Promise.race([sent, late]).finally(() => timer.abort())
}

async function settle({ db, clock, log, metrics }: Sender, claimed: ClaimedMail, answer: Answer): Promise<void> {
  const { mail_id, kind, attempts, useful_until } = claimed
  const ended_at = fromNow(clock)
  if (answer.outcome === 'accepted') {
    await endAttempt(db, { claimed, end: { status: 'sent', error: null, ended_at } })
    return metrics.mails.ended('sent')
  }
  const { code } = answer
  const due_at = fromNow(clock, Math.min(RETRY_MS.least * 2 ** (attempts - 1), RETRY_MS.most))
  const failed = { status: 'failed', error: code, ended_at } as const
  if (answer.outcome === 'refused') {
    log.warn({ mail_id, kind, code }, 'the mail server refused a mail; it is not sent')
    await endAttempt(db, { claimed, end: failed })
    metrics.mails.ended('refused')
  } else if (due_at < useful_until) {
    log.warn({ mail_id, kind, code, attempts }, 'a mail could not be sent; it is tried again')
    await endAttempt(db, { claimed, end: { due_at, error: code } })
    metrics.mails.ended('postponed')
  } else {
    log.error({ mail_id, kind, code, attempts }, 'a mail could not be sent in its time; it is given up')
    await endAttempt(db, { claimed, end: failed })
    metrics.mails.ended('failed')
  }
}
