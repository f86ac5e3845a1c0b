import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/', 2)
  // The library alone would read `10/8` as a network too.
  return isIP(address) !== 0 && (bits === undefined ? ipaddr.isValid(address) : ipaddr.isValidCIDR(value))
}

// Far more than all private networks together.
const SHARE_MOST = 1 / 16
// What a registry gives out is shorter, and the networks of the largest providers are longer.
const V6_BITS_LEAST = 20
const HOLDS_V4: readonly string[] = ['unspecified', 'ipv4Mapped', 'rfc6052', 'teredo']

/** More than a sixteenth of IPv4, all of it as IPv6, or more of IPv6 than one owner of proxies has. */
export function coversEverybody(networks: readonly string[]): boolean {
  const parsed = networks.map((network) => {
    const [address, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), 128]
    return { address, bits, range: address.range() }
  })
  const shareOfV4 = parsed
    .filter(({ address }) => address.kind() === 'ipv4')
    .reduce((sum, { bits }) => sum + 2 ** -bits, 0)
  const isWide = parsed.some(
    ({ address, bits, range }) =>
      address.kind() === 'ipv6' &&
      (bits < V6_BITS_LEAST ? range !== 'uniqueLocal' : bits <= 96 && HOLDS_V4.includes(range)),
  )
  return shareOfV4 > SHARE_MOST || isWide
}
