import type { Config } from '../../config.ts'
import type { Lane } from '../../db/tables.ts'
import type { Provider, PushContent } from '../../push/provider.ts'
import { errors, type FieldErrors } from '../../shared/errors.ts'

/** Spec: push payload size, 4 KB at most. */
export const MAX_PAYLOAD_BYTES = 4_096

// The longest id there can be, so that a payload that passes here never grows over the limit later.
const LONGEST_ID = Number.MAX_SAFE_INTEGER
const LONGEST_MOMENT = new Date('9999-12-31T00:00:00Z')

/** What a sender says: the bulk endpoints call the body `text`. */
export type NewContent = { title: string; text: string; data?: Record<string, unknown> }

type ContentDeps = { provider: Pick<Provider, 'payloadBytes'>; config: Pick<Config, 'LINK_SCHEMES'> }

/** The content as a push carries it. */
export function toPushContent(content: NewContent, lane: Lane): PushContent {
  return { title: content.title, body: content.text, data: content.data ?? null, urgent: lane === 'transactional' }
}

/**
 * Bytes of the largest copy of this content, on any platform (decision B9).
 */
export function payloadBytesOf({ provider }: Pick<ContentDeps, 'provider'>, content: PushContent): number {
  const copy = { notificationId: LONGEST_ID, content, expiresAt: LONGEST_MOMENT }
  return Math.max(
    provider.payloadBytes({ ...copy, platform: 'ios' }),
    provider.payloadBytes({ ...copy, platform: 'android' }),
  )
}

/** Refuses content above 4 KB and links of a foreign scheme, naming the field, before anything is stored. */
export function checkContent(deps: ContentDeps, content: PushContent, linkField = 'data.link'): void {
  const fields: FieldErrors = {}
  const bytes = payloadBytesOf(deps, content)
  if (bytes > MAX_PAYLOAD_BYTES) {
    const field = content.data && JSON.stringify(content.data).length > content.body.length ? 'data' : 'text'
    fields[field] = [`makes the push ${bytes} bytes; at most ${MAX_PAYLOAD_BYTES} are allowed`]
  }
  if (content.data !== null && Object.hasOwn(content.data, 'notification_id'))
    fields['data.notification_id'] = ['is set by the service']
  const link = content.data?.['link']
  if (link !== undefined && !isAllowedLink(link, deps.config.LINK_SCHEMES))
    fields[linkField] = [`must be a link with one of these schemes: ${deps.config.LINK_SCHEMES.join(', ')}`]
  if (Object.keys(fields).length > 0) throw errors.validation(fields)
}

function isAllowedLink(link: unknown, schemes: string[]): boolean {
  if (typeof link !== 'string' || link.length > 2_000 || !/^[a-z][a-z\d+.-]*:/i.test(link)) return false
  if (!URL.canParse(link)) return false
  return schemes.includes(new URL(link).protocol.slice(0, -1))
}
