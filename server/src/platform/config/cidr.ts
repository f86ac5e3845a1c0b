import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/', 2)
  // The library alone would read `10/8` as a network too.
  return isIP(address) !== 0 && (bits === undefined ? ipaddr.isValid(address) : ipaddr.isValidCIDR(value))
}

type Range = { from: bigint; to: bigint }

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
  const ranges = merged(networks.map(toRange))
  return Math.max(...WHOLES.map((whole) => measureShare(ranges, toRange(whole))))
}

/** IPv4 is the part of IPv6 that stands for it. */
function toRange(network: string): Range {
  const whole = network.includes('/') ? network : `${network}/${isIP(network) === 4 ? 32 : 128}`
  const [address, bits] = ipaddr.parseCIDR(whole)
  const isV4 = address instanceof ipaddr.IPv4
  const bytes = (isV4 ? address.toIPv4MappedAddress() : address).toByteArray()
  const from = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  const length = BigInt((isV4 ? 32 : 128) - bits)
  const start = (from >> length) << length
  return { from: start, to: start + (1n << length) - 1n }
}

function merged(ranges: Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = result.at(-1)
    if (last === undefined || range.from > last.to + 1n) result.push({ ...range })
    else if (range.to > last.to) last.to = range.to
  }
  return result
}

function measureShare(ranges: Range[], whole: Range): number {
  const covered = ranges
    .map(({ from, to }) => ({ from: from > whole.from ? from : whole.from, to: to < whole.to ? to : whole.to }))
    .filter(({ from, to }) => from <= to)
    .reduce((sum, { from, to }) => sum + to - from + 1n, 0n)
  return Number((covered * 1_000_000n) / (whole.to - whole.from + 1n)) / 1_000_000
}
