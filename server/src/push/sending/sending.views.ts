import { Type, type Static } from 'typebox'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import type { StartedMessage } from '../messages/messages.ts'

export const Title = Type.String({ minLength: 1, maxLength: 200, ...NOT_BLANK })
export const Text = Type.String({ minLength: 1, maxLength: 2_000, ...NOT_BLANK })
export const Link = Type.String({ minLength: 1, maxLength: 2_000 })

/** What every send answers once its message is stored. */
export const Started = Type.Object({
  notification_id: Type.Integer({ description: 'The message’s id; its report takes it.' }),
  status: Type.String(),
  audience: Type.Integer({ description: 'Users addressed; above 10,000 an estimate.' }),
})

/** How a send answers: `message` says which. */
export function accepted(message: string) {
  return { status: 202, message, view: toStarted } as const
}

function toStarted({ messageId, status, audience }: StartedMessage): Static<typeof Started> {
  return { notification_id: messageId, status, audience }
}
