import type { Push, PushContent, Unaddressed } from '../provider.ts'
import { isInstallationId } from './fcm-tokens.ts'

/** Firebase: messages wait for a phone four weeks at most. */
const LONGEST_TTL_S = 28 * 24 * 60 * 60
/** The channel that the app makes (docs/mobile.md). expo-notifications uses one of its own where it is missing. */
const CHANNEL = 'default'
// A hundred labels a day are allowed, so that a campaign cannot have its own.
const LABELS = { urgent: 'transactional', other: 'campaign' }

/** What several messages have in common, by their content. */
export type Heads = Map<PushContent, string>

/**
 * A data message: expo-notifications shows those itself, and tells the app of taps. `tag` names the banner there (B6);
 * collapse keys would hold back the fifth undelivered message.
 */
export function encodeMessage(push: Push, now: number, heads: Heads = new Map()): string {
  const { to, content, expiresAt } = push
  const seconds = Math.floor((expiresAt.getTime() - now) / 1_000)
  const ttl = Math.min(Math.max(seconds, 0), LONGEST_TTL_S)
  const priority = content.urgent ? 'HIGH' : 'NORMAL'
  const label = content.urgent ? LABELS.urgent : LABELS.other
  const target = `"${isInstallationId(to) ? 'fid' : 'token'}":${JSON.stringify(to)}`
  const android = `"android":{"priority":"${priority}","ttl":"${ttl}s"}`
  const options = `"fcm_options":{"analytics_label":"${label}"}`
  return `{"message":{${target},${android},${options},"data":${dataJson(push, heads)}}}`
}

/** A message that reaches nobody, to ask whether Google takes messages with these credentials. */
export function encodeProbe(token: string): string {
  return JSON.stringify({ validate_only: true, message: { token, data: { title: 'probe' } } })
}

/** UTF-8 bytes of the data: Google measures keys and values, which are shorter than their JSON by its quotes. */
export function payloadBytes(push: Unaddressed): number {
  return Buffer.byteLength(dataJson(push, new Map()))
}

function dataJson({ notificationId, badge, content }: Unaddressed, heads: Heads): string {
  let head = heads.get(content)
  if (head === undefined) heads.set(content, (head = contentJson(content)))
  const tag = JSON.stringify(content.mergeKey ?? `n${notificationId}`)
  const onIcon = badge === undefined ? '' : `,"badge":"${badge}"`
  return `{${head}\\"notification_id\\":${notificationId}}","tag":${tag}${onIcon}}`
}

/**
 * Ends inside `body`, the JSON text that the app reads as `data`, which `dataJson` closes. Keys of ours never stand
 * beside it, because Google refuses some names there, such as `from`.
 */
function contentJson({ title, body, data }: PushContent): string {
  const { notification_id: _ours, ...rest } = data ?? {}
  const inner = JSON.stringify(rest).slice(0, -1)
  const escaped = JSON.stringify(inner === '{' ? inner : `${inner},`).slice(0, -1)
  return `"title":${JSON.stringify(title)},"message":${JSON.stringify(body)},"channelId":"${CHANNEL}","body":${escaped}`
}
