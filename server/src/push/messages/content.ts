import type { Config } from '../../platform/config/config.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import type { Provider, PushContent } from '../provider/provider.ts'
import { errors, type FieldErrors } from '../../platform/shared/errors.ts'
import { faultOfText } from '../../platform/shared/plain-text.ts'
import { faultOfLink } from './links.ts'

/** Spec: push payload size. */
export const MAX_PAYLOAD_BYTES = 4_096

// A payload that passes here never grows over the limit later.
const LONGEST_ID = Number.MAX_SAFE_INTEGER
const LARGEST_BADGE = 2_147_483_647
const LONGEST_MOMENT = new Date('9999-12-31T00:00:00Z')

export type NewContent = { title: string; text: string; data?: Record<string, unknown> }

type ContentDeps = {
  providers: readonly { provider: Pick<Provider, 'payloadBytes'> }[]
  config: Pick<Config, 'LINK_SCHEMES'>
}

export function toPushContent(content: NewContent, lane: Lane, mergeKey: string | null = null): PushContent {
  const { title, text: body, data = null } = content
  return { title, body, data, urgent: lane === 'transactional', mergeKey }
}

/** Bytes of the largest copy, by any provider and on any platform (decision B9). */
export function payloadBytesOf({ providers }: Pick<ContentDeps, 'providers'>, content: PushContent): number {
  const copy = { notificationId: LONGEST_ID, content, expiresAt: LONGEST_MOMENT }
  return Math.max(
    ...providers.flatMap(({ provider }) => [
      provider.payloadBytes({ ...copy, platform: 'ios', badge: LARGEST_BADGE }),
      provider.payloadBytes({ ...copy, platform: 'android' }),
    ]),
  )
}

/** The fields that faults name, and the schemes that a link may have. */
export type ContentRules = { fields?: { text?: string; link?: string }; schemes?: readonly string[] }

/** Refuses content above 4 KB, invisible or misleading text, and links of another form (decision B9). */
export function checkContent(
  deps: ContentDeps,
  said: NewContent,
  lane: Lane,
  {
    fields: { text = 'text', link: linkField = 'data.link' } = {},
    schemes = deps.config.LINK_SCHEMES,
  }: ContentRules = {},
): void {
  const content = toPushContent(said, lane)
  const faults: FieldErrors = {}
  const fault = (field: string, sentence: string | undefined) => {
    if (sentence !== undefined) (faults[field] ??= []).push(sentence)
  }
  fault('title', faultOfText(content.title, 'lines'))
  fault(text, faultOfText(content.body, 'lines'))
  const bytes = payloadBytesOf(deps, content)
  const isDataLonger = content.data !== null && JSON.stringify(content.data).length > content.body.length
  const dataField = linkField === 'data.link' ? 'data' : linkField
  if (bytes > MAX_PAYLOAD_BYTES)
    fault(isDataLonger ? dataField : text, `makes the push ${bytes} bytes; at most ${MAX_PAYLOAD_BYTES} are allowed`)
  if (content.data !== null && Object.hasOwn(content.data, 'notification_id'))
    fault('data.notification_id', 'is set by the service')
  const link = content.data?.['link']
  if (link !== undefined) fault(linkField, faultOfLink(link, schemes))
  if (Object.keys(faults).length > 0) throw errors.validation(faults)
}
