import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/', 2)
  // The library alone would read `10/8` as a network too.
  return isIP(address) !== 0 && (bits === undefined ? ipaddr.isValid(address) : ipaddr.isValidCIDR(value))
}

type Range = { address: ipaddr.IPv6; bits: number }

// All of IPv4 and of IPv6, what the five registries give out, and the forms of IPv6 that contain all of IPv4.
const WHOLES = [
  '0.0.0.0/0',
  '::/0',
  '2000::/3',
  '2001::/16',
  '2400::/12',
  '2600::/12',
  '2800::/12',
  '2a00::/12',
  '2c00::/12',
  '2001::/32',
  '2002::/16',
  '64:ff9b::/96',
]

/** The largest share (0 to 1) that these networks cover of one of `WHOLES`. */
export function measureCover(networks: readonly string[]): number {
  const all = networks.map(toRange)
  // Of two networks one is within the other, or they share nothing.
  const disjoint = all.filter(
    (one, place) => !all.some((other, at) => isWithin(one, other) && (!isWithin(other, one) || at < place)),
  )
  const shares = WHOLES.map(toRange).map((whole) =>
    disjoint.reduce((sum, network) => sum + measureShare(network, whole), 0),
  )
  return Math.max(...shares)
}

/** IPv4 is the part of IPv6 that stands for it. */
function toRange(network: string): Range {
  const whole = network.includes('/') ? network : `${network}/${isIP(network) === 4 ? 32 : 128}`
  const [address, bits] = ipaddr.parseCIDR(whole)
  return address instanceof ipaddr.IPv4
    ? { address: address.toIPv4MappedAddress(), bits: bits + 96 }
    : { address, bits }
}

function isWithin({ address, bits }: Range, outer: Range): boolean {
  return bits >= outer.bits && address.match(outer.address, outer.bits)
}

function measureShare(network: Range, whole: Range): number {
  if (isWithin(whole, network)) return 1
  return isWithin(network, whole) ? 2 ** (whole.bits - network.bits) : 0
}
