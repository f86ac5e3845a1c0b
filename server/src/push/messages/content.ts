import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import type { Config } from '../../platform/config/config.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import type { Provider, PushContent } from '../provider/provider.ts'
import { errors, type FieldErrors } from '../../platform/shared/errors.ts'
import { isWeb } from '../../platform/events/deep-links.ts'
import { faultOfText } from '../../platform/shared/plain-text.ts'

/** Spec: push payload size. */
export const MAX_PAYLOAD_BYTES = 4_096

// A payload that passes here never grows over the limit later.
const LONGEST_ID = Number.MAX_SAFE_INTEGER
const LARGEST_BADGE = 2_147_483_647
const LONGEST_MOMENT = new Date('9999-12-31T00:00:00Z')

const LONGEST_LINK = 2_000
// Many of their letters look like Latin ones.
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

export type NewContent = { title: string; text: string; data?: Record<string, unknown> }

type Measuring = readonly { provider: Pick<Provider, 'name' | 'payloadBytes' | 'platforms'> }[]

export function toPushContent(content: NewContent, lane: Lane, mergeKey: string | null = null): PushContent {
  const { title, text: body, data = null } = content
  return { title, body, data, urgent: lane === 'transactional', mergeKey }
}

/** Bytes of the largest copy, by any provider and on any platform (decision B9). */
export function measurePayload(providers: Measuring, content: PushContent): number {
  return Math.max(...measureEach(providers, content).map(({ bytes }) => bytes))
}

function measureEach(providers: Measuring, content: PushContent): { name: string; bytes: number }[] {
  const copy = { notificationId: LONGEST_ID, content, expiresAt: LONGEST_MOMENT }
  const measure = (provider: Measuring[number]['provider']) =>
    provider.platforms.map((platform) =>
      provider.payloadBytes({ ...copy, platform, ...(platform !== 'android' && { badge: LARGEST_BADGE }) }),
    )
  return providers.map(({ provider }) => ({ name: provider.name, bytes: Math.max(...measure(provider)) }))
}

/**
 * Whoever registers a phone later must get it too, so each provider's limit holds for everybody. The provider is named
 * where the first one, which most senders know, would take it. Undefined: it fits.
 */
function faultOfSize(providers: Measuring, content: PushContent): string | undefined {
  const sizes = measureEach(providers, content)
  const tooLong = sizes.filter(({ bytes }) => bytes > MAX_PAYLOAD_BYTES).toSorted((a, b) => b.bytes - a.bytes)
  const [largest] = tooLong
  if (largest === undefined) return undefined
  const by = tooLong.some(({ name }) => name === sizes[0]?.name) ? '' : ` for ${largest.name}`
  return `makes the push ${largest.bytes} bytes${by}; at most ${MAX_PAYLOAD_BYTES} are allowed`
}

/** The fields that faults name, and the schemes that a link may have. */
export type ContentRules = { fields?: { text?: string; link?: string }; schemes?: readonly string[] }

/** Refuses content above 4 KB, invisible or misleading text, and links of another form (decision B9). */
export function checkContent(
  { providers, config }: { providers: Measuring; config: Pick<Config, 'LINK_SCHEMES'> },
  input: NewContent,
  lane: Lane,
  { fields: { text = 'text', link: linkField = 'data.link' } = {}, schemes = config.LINK_SCHEMES }: ContentRules = {},
): void {
  const content = toPushContent(input, lane)
  const faults: FieldErrors = {}
  const fault = (field: string, sentence: string | undefined) => {
    if (sentence !== undefined) (faults[field] ??= []).push(sentence)
  }
  fault('title', faultOfText(content.title, 'lines'))
  fault(text, faultOfText(content.body, 'lines'))
  const isDataLonger = content.data !== null && JSON.stringify(content.data).length > content.body.length
  const dataField = linkField === 'data.link' ? 'data' : linkField
  fault(isDataLonger ? dataField : text, faultOfSize(providers, content))
  if (content.data !== null && Object.hasOwn(content.data, 'notification_id'))
    fault('data.notification_id', 'is set by the service')
  const link = content.data?.['link']
  if (link !== undefined) fault(linkField, faultOfLink(link, schemes))
  if (Object.keys(faults).length > 0) throw errors.validation(faults)
}

/** A sentence about what phones and mail programs could read in different ways; undefined: no fault (decision B9). */
export function faultOfLink(link: unknown, schemes: readonly string[]): string | undefined {
  if (typeof link !== 'string') return `must be a link with one of these schemes: ${schemes.join(', ')}`
  if (link.length > LONGEST_LINK) return `must have at most ${LONGEST_LINK} characters`
  if (/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(link))
    return 'must not contain spaces, control characters, or characters that are not shown or that turn the direction'
  if (link.includes('\\')) return 'must not contain a backslash'
  const [, scheme = ''] = /^([a-z][a-z\d+.-]*):/i.exec(link) ?? []
  if (!schemes.includes(scheme.toLowerCase()) || !URL.canParse(link))
    return `must be a link with one of these schemes: ${schemes.join(', ')}`
  return faultOfHost(link, scheme)
}

function faultOfHost(link: string, scheme: string): string | undefined {
  // A browser takes `https:host`, `https:/host` and `https:////host` for a host too; one form is enough.
  const [, host] = /^[^:]+:\/\/([^/?#]*)/.exec(link) ?? []
  if (host?.includes('@')) return 'must not contain a name or password before its host'
  if (!isWeb(scheme))
    return host === undefined || /^[\w.~-]*$/.test(host) ? undefined : 'must have a host in plain ASCII'
  if (host === undefined || host === '') return 'must name its host after //'
  if (host.startsWith('[')) return 'must name its host, not give an IP address'
  if (!/^[a-z\d.-]+(?::\d{1,5})?$/i.test(host))
    return 'must have a host name in plain ASCII; an international name goes in its xn-- form'
  const hostname = domainToUnicode(new URL(link).hostname)
  if (LOOKALIKE.test(hostname) && !LOOKALIKE.test(hostname.slice(hostname.lastIndexOf('.'))))
    return 'must not have a host whose letters can be taken for others'
  // The parser turns every way to write an IPv4 address into its usual one.
  return isIP(new URL(link).hostname) === 0 ? undefined : 'must name its host, not give an IP address'
}
