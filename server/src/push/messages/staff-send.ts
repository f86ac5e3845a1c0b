import type { PushDeps } from '../deps.ts'
import { askForApproval, mustBeApproved, type Pending } from '../../identity/approvals/approvals.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { findHighestUserId, summariseAudience, type AudienceSummary } from '../records/audience.queries.ts'
import { countReached } from '../records/counts.queries.ts'
import type { Message } from '../records/messages.queries.ts'
import type { RequestedSend } from './stored-send.schema.ts'
import { checkContent, measurePayload, toPushContent, type NewContent } from './content.ts'
import { refuseUnknownUsers, send, type Send, type Sent } from './send.ts'

/** The send of an administrator: campaigns, named and system sends, tests. */
export type StaffSend = Send & { senderId: number }

const WITHIN_MS = 3_600_000

/** Sends, or asks a second administrator where that needs one (ADR 12). */
export async function sendOrAsk(work: Work, input: StaffSend): Promise<Sent | Pending> {
  return (await needsApproval(work, input)) ? requestSend(work, input) : sendNow(work, input)
}

/**
 * Sends; 409 INVALID_STATE where that needs a second administrator. Who is a test user may change until a request is
 * approved, so a request names the people.
 */
export async function sendOrRefuse(work: Work, input: StaffSend): Promise<Sent> {
  if (!(await needsApproval(work, input))) return sendNow(work, input)
  const how =
    input.audience.kind === 'sandbox'
      ? 'A send to all test users cannot be approved, as they may change: name them in user_ids of'
      : 'Request the approval with'
  throw errors.invalidState(
    `A second administrator must approve sends to so many people within an hour. ${how} POST /api/admin/send-notification/approval.`,
  )
}

/** True when a send to test users may not begin: there may be more of them than at its call (ADR 12). */
export async function hasOutgrown(work: Work, { audience, sender_id: senderId }: Message): Promise<boolean> {
  if (audience !== 'sandbox' || senderId === null || !mustBeApproved(work.config, 'send')) return false
  return reachesTooMany(work, senderId, null)
}

/** An audience of everyone ends at the newest user of this moment. */
export async function requestSend(work: Work, input: StaffSend): Promise<Pending> {
  const { audience, senderId: _, ...message } = input
  if (audience.kind === 'users') {
    await refuseUnknownUsers(work, audience.userIds, 'user_ids')
    return ask(work, { ...message, audience, recipients: audience.userIds.length })
  }
  const summary = await summariseAudience(work.tx, audience.kind, work.now())
  const ending = { ...audience, upTo: await findHighestUserId(work.tx) }
  return ask(work, { ...message, audience: ending, recipients: countReach(summary) })
}

/** What was approved, as it was asked. Its sender is the author of the request; users who are gone are skipped. */
export async function sendApproved(work: Work, input: RequestedSend, authorId: number): Promise<Sent> {
  const { recipients: _, ...message } = input
  const approved: StaffSend = { ...message, senderId: authorId }
  const sent = await send(work, approved)
  await record(work, approved, sent, { asked_by: authorId })
  return sent
}

/**
 * Refuses what a send would refuse, and stores nothing. `payloadBytes`: of the largest copy. `secondsToFinish`: what
 * the slowest pace needs if all phones have it, 0 without one.
 */
export async function previewSendToAll(deps: PushDeps, content: NewContent) {
  checkContent(deps, content, 'campaign')
  const summary = await summariseAudience(deps.db, 'all', fromNow(deps.clock))
  const rates = deps.providers.map(({ instance }) => instance.ratePerSecond).filter((rate) => rate > 0)
  return {
    summary,
    payloadBytes: measurePayload(deps.providers, toPushContent(content, 'campaign')),
    needsApproval: mustBeApproved(deps.config, 'send') && summary.selected > deps.config.APPROVAL_RECIPIENTS,
    secondsToFinish: rates.length === 0 ? 0 : Math.ceil(summary.devices / Math.min(...rates)),
  }
}

/** How many users get a push. */
export function countReach({ selected, no_device, signed_out, opted_out, inactive }: AudienceSummary): number {
  return selected - no_device - signed_out - opted_out - inactive
}

/** The request is stored unchanged; the schema checks it when it is carried out. */
function ask(work: Work, input: Omit<StaffSend, 'senderId'> & { recipients: number }): Promise<Pending> {
  return askForApproval(work, { kind: 'send', request: { ...input }, about: { ...input } })
}

async function sendNow(work: Work, input: StaffSend): Promise<Sent> {
  const sent = await send(work, { ...input, userField: input.origin === 'test' ? 'user_id' : 'user_ids' })
  await record(work, input, sent)
  return sent
}

/**
 * True for a send to more people than APPROVAL_RECIPIENTS, with those whom the sender reached in the last hour by
 * whatever send (ADR 12).
 */
async function needsApproval(work: Work, { audience, senderId }: StaffSend): Promise<boolean> {
  const { tx, config } = work
  if (!mustBeApproved(config, 'send')) return false
  if (audience.kind === 'all')
    return (await summariseAudience(tx, 'all', work.now())).selected > config.APPROVAL_RECIPIENTS
  return reachesTooMany(work, senderId, audience.kind === 'users' ? audience.userIds : null)
}

async function reachesTooMany({ tx, config, now }: Work, senderId: number, next: readonly number[] | null) {
  return (await countReached(tx, senderId, now(-WITHIN_MS), next)) > config.APPROVAL_RECIPIENTS
}

/** The audit log does not contain the content (decision C14). */
async function record(work: Work, input: StaffSend, { messageIds }: Sent, how: Record<string, unknown> = {}) {
  const change = { after: { ...described(input), ...how } }
  for (const entityId of messageIds)
    await work.audit({ action: 'notification.send', entity: 'message', entityId, change })
}

function described({ audience, origin, lane }: StaffSend): Record<string, unknown> {
  if (audience.kind !== 'users') return { audience: audience.kind, ...(origin === 'system' && { system: true }) }
  const { userIds } = audience
  if (origin === 'test') return { audience: 'test', user_id: must(userIds[0], 'user of a test') }
  const how = origin === 'system' ? { system: true } : { promotional: lane === 'campaign' }
  return { audience: 'users', users: userIds.length, ...how }
}
