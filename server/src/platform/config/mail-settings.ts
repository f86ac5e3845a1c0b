import type { Config } from './config.ts'
import { isMailAddress } from '../shared/plain-text.ts'

export function* mailFaults(config: Config): Generator<string> {
  const { MAIL_URL: address, MAIL_FROM: sender, MAIL_LINK_BASE: base } = config
  if (address === '') return
  const fault = faultOfMailUrl(address)
  if (fault !== undefined) yield `MAIL_URL ${fault}`
  if (!isMailbox(sender))
    yield 'MAIL_FROM must be an address such as no-reply@example.com, or Name <no-reply@example.com>.'
  if (!isLinkBase(config, base))
    yield 'MAIL_LINK_BASE must be an https address or begin with a scheme of LINK_SCHEMES, without ? and #; outside production http too.'
}

function faultOfMailUrl(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    return 'must be smtp:// or smtps://, with a host.'
  if ((url.username === '') !== (url.password === '')) return 'must have a user and a password, or neither.'
  return url.search === '' && url.hash === '' && /^\/?$/.test(url.pathname) ? undefined : 'must end after the port.'
}

function isMailbox(text: string): boolean {
  const [, named] = /^[^<>@\p{Cc}]{1,100} <([^<>]{3,254})>$/u.exec(text) ?? []
  return isMailAddress(named ?? text)
}

function isLinkBase({ LINK_SCHEMES, NODE_ENV }: Config, base: string): boolean {
  const url = URL.parse(base)
  if (url === null || /[?#]/.test(base)) return false
  if (url.protocol === 'http:') return NODE_ENV !== 'production'
  return url.protocol === 'https:' || LINK_SCHEMES.some((scheme) => url.protocol === `${scheme.toLowerCase()}:`)
}
