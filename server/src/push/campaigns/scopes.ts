import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { listMessages, type MessageRow } from './campaigns.queries.ts'

/** Campaigns have a report of their own, as specified; the other scope takes any message. */
export type Scope = {
  url: '/api/admin/promotional-notifications/:notification_id' | '/api/admin/notifications/:notification_id'
  tag: string
  subject: 'Campaign' | 'Notification'
  what: string
  isCampaign: boolean
}

export const SCOPES: Scope[] = [
  {
    url: '/api/admin/promotional-notifications/:notification_id',
    tag: 'Campaigns',
    subject: 'Campaign',
    what: 'promotional notification',
    isCampaign: true,
  },
  {
    url: '/api/admin/notifications/:notification_id',
    tag: 'Notifications',
    subject: 'Notification',
    what: 'notification',
    isCampaign: false,
  },
]

/** 404 when there is no such message in this scope. */
export async function requireMessage(
  db: Db | Tx,
  messageId: number,
  { isCampaign, what }: Pick<Scope, 'isCampaign' | 'what'>,
): Promise<MessageRow> {
  const [message] = await listMessages(db, [messageId])
  if (message === undefined || (isCampaign && message.type !== 'promotional')) throw errors.notFound(`This ${what}`)
  return message
}

export function toKind({ type }: Pick<MessageRow, 'type'>): 'campaign' | 'notification' {
  return type === 'promotional' ? 'campaign' : 'notification'
}
