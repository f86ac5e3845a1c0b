import { isLoopback } from '../shared/networks.ts'

export function faultOfDatabaseUrl(url: string): string | undefined {
  if (url === '' || url.startsWith('/')) return undefined
  if (!/^(?:postgres|postgresql|socket):/.test(url)) return 'must begin with postgres://.'
  const [, authority = ''] = /^\w+:\/\/([^/?#]*)/.exec(url) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  const options = readOptions(url)
  if (hosts.includes(',') || options['host']?.includes(',') || options['port']?.includes(','))
    return 'must name one host: give one address that follows the primary, such as a virtual IP, a DNS name that moves, or a proxy or pooler.'
  const unsupported = ['target_session_attrs', 'load_balance_hosts'].find((name) => name in options)
  if (unsupported !== undefined)
    return `must not have ${unsupported}, which is not supported: give one address that follows the primary, such as a virtual IP, a DNS name that moves, or a proxy or pooler.`
  // The driver also accepts an address without a host.
  return URL.canParse(url.replace('@/', '@localhost/')) ? undefined : 'cannot be read as an address.'
}

export function isRemote(url: string): boolean {
  if (url.startsWith('/') || url.startsWith('socket:')) return false
  const parsed = URL.parse(url.replace('@/', '@localhost/'))
  const host = decodeURIComponent(readOptions(url)['host'] || (parsed?.hostname ?? ''))
  return host !== '' && !host.startsWith('/') && !isLoopback(host)
}

export function readTls(url: string): 'verified' | 'unverified' | 'off' {
  const { ssl, sslmode, sslcert, sslkey, sslrootcert, sslnegotiation, uselibpqcompat } = readOptions(url)
  if (sslmode === 'no-verify') return 'unverified'
  if (sslmode === 'disable') return 'off'
  const isLax = sslmode === 'prefer' || (sslmode === 'require' && sslrootcert === undefined)
  if (uselibpqcompat === 'true' && isLax) return 'unverified'
  if (sslmode || sslcert || sslkey || sslrootcert) return 'verified'
  if (ssl === 'no-verify') return 'unverified'
  return ssl === 'true' || ssl === '1' || (ssl === undefined && sslnegotiation === 'direct') ? 'verified' : 'off'
}

/** The driver takes the last of repeated ones. */
function readOptions(url: string): Record<string, string | undefined> {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  return Object.fromEntries(new URLSearchParams(query))
}
