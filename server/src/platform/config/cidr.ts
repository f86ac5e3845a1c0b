import { isIP } from 'node:net'
import { groupsOf } from '../shared/networks.ts'

export function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

type Range = { from: bigint; to: bigint }

const V4_AS_V6 = 0xffff_0000_0000n
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
export function coverOf(networks: readonly string[]): number {
  const ranges = merged(networks.map(rangeOf))
  return Math.max(...WHOLES.map((whole) => shareOf(ranges, rangeOf(whole))))
}

function rangeOf(network: string): Range {
  const [address = '', bits] = network.split('/')
  const isV4 = isIP(address) === 4
  const from = isV4 ? V4_AS_V6 + v4Number(address) : v6Number(address)
  const length = (isV4 ? 32n : 128n) - BigInt(bits ?? (isV4 ? 32 : 128))
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

function shareOf(ranges: Range[], whole: Range): number {
  const covered = ranges
    .map(({ from, to }) => ({ from: from > whole.from ? from : whole.from, to: to < whole.to ? to : whole.to }))
    .filter(({ from, to }) => from <= to)
    .reduce((sum, { from, to }) => sum + to - from + 1n, 0n)
  return Number((covered * 1_000_000n) / (whole.to - whole.from + 1n)) / 1_000_000
}

function v4Number(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function v6Number(address: string): bigint {
  return groupsOf(address).reduce((sum, group) => sum * 65_536n + BigInt(group), 0n)
}
