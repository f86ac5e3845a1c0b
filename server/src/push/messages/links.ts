import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { isWeb } from '../../platform/events/deep-links.ts'

const LONGEST = 2_000
// Many of their letters look like Latin ones.
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** A sentence about what phones and mail programs could read in different ways; undefined: no fault (decision B9). */
export function faultOfLink(link: unknown, schemes: readonly string[]): string | undefined {
  if (typeof link !== 'string') return `must be a link with one of these schemes: ${schemes.join(', ')}`
  if (link.length > LONGEST) return `must have at most ${LONGEST} characters`
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
  const shown = domainToUnicode(new URL(link).hostname)
  if (LOOKALIKE.test(shown) && !LOOKALIKE.test(shown.slice(shown.lastIndexOf('.'))))
    return 'must not have a host whose letters can be taken for others'
  // The parser turns every way to write an IPv4 address into its usual one.
  return isIP(new URL(link).hostname) === 0 ? undefined : 'must name its host, not give an IP address'
}
