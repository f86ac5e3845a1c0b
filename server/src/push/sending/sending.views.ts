import { Type, type Static } from 'typebox'
import { Component, OrPending, pickFields } from '../../platform/http/envelope.ts'
import { Lines } from '../../platform/http/text.ts'
import { MAX_PAYLOAD_BYTES } from '../messages/content.ts'
import { must } from '../../platform/shared/must.ts'
import { MESSAGE_STATUSES } from '../../platform/shared/words.ts'
import type { Sent } from '../messages/send.ts'
import { countReach, type previewSendToAll } from '../messages/staff-send.ts'
import type { AudienceSummary } from '../records/audience.queries.ts'

export const Title = Lines({ maxLength: 200 })
export const Text = Lines({ maxLength: 2_000 })
export const Link = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'A deep link with a scheme of the app; no spaces, control characters or backslashes.',
  examples: ['swapbell://groups/7'],
})

export const Started = Component('StartedSend', {
  notification_id: Type.Integer({ description: 'The message’s id, for reading its report.' }),
  status: Type.Enum(MESSAGE_STATUSES),
  audience: Type.Integer({ description: 'The number of users addressed.' }),
})

const Skipped = Type.Object({
  no_device: Type.Integer(),
  signed_out: Type.Integer({ description: 'They have a phone, and no session that may ring it.' }),
  opted_out: Type.Integer(),
  inactive: Type.Integer(),
})

export const StartedTest = Component('StartedTest', {
  ...Started.properties,
  skipped: { ...Skipped, description: 'Who gets no push, and why: 1 if the user is the one.' },
})

export function toStartedTest({ summary, ...started }: Sent & { summary: AudienceSummary }) {
  return { ...toStarted(started), skipped: pickFields(Skipped, summary) }
}

export const StartedOrPending = OrPending(Started)

/** `notification_id` is the first of its messages. */
export const StartedSystem = Component('StartedSystemSend', {
  ...Started.properties,
  notification_ids: Type.Array(Type.Integer(), {
    description: 'Its messages, one for each language that has users and texts.',
  }),
})

export function toStartedSystem(sent: Sent): Static<typeof StartedSystem> {
  return { ...toStarted(sent), notification_ids: sent.messageIds }
}

export const StartedSystemOrPending = OrPending(StartedSystem)

export function accepted(message: string) {
  return { status: 202, message, view: toStarted } as const
}

function toStarted({ messageIds, status, audience }: Sent): Static<typeof Started> {
  return { notification_id: must(messageIds[0], 'message of a send'), status, audience }
}

export const Preview = Component('SendPreview', {
  selected: Type.Integer(),
  skipped: Skipped,
  users: Type.Integer(),
  devices: Type.Object({ ios: Type.Integer(), android: Type.Integer(), web: Type.Integer(), total: Type.Integer() }),
  payload_bytes: Type.Integer(),
  payload_limit: Type.Integer(),
  seconds_to_finish: Type.Integer(),
  needs_approval: Type.Boolean({ description: 'A second administrator must approve the send.' }),
  is_estimate: Type.Optional(
    Type.Literal(true, {
      description: 'Above 100,000 users all numbers except `selected` and `inactive` are estimates from a sample.',
    }),
  ),
})

export function toPreview({
  summary,
  payloadBytes,
  secondsToFinish,
  needsApproval,
}: Awaited<ReturnType<typeof previewSendToAll>>): Static<typeof Preview> {
  const { selected, ios, android, web, devices, isEstimate } = summary
  return {
    selected,
    skipped: pickFields(Skipped, summary),
    users: countReach(summary),
    devices: { ios, android, web, total: devices },
    payload_bytes: payloadBytes,
    payload_limit: MAX_PAYLOAD_BYTES,
    seconds_to_finish: secondsToFinish,
    needs_approval: needsApproval,
    ...(isEstimate && ({ is_estimate: true } satisfies Partial<Static<typeof Preview>>)),
  }
}
