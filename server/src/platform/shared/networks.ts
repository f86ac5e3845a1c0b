import { isIP, isIPv6 } from 'node:net'

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

export function networkOf(ip: string): string {
  return prefixOf(ip, 4)
}

/** The largest network of one subscriber: an IPv4 address, or the /56 of an IPv6 one, with 256 networks of /64. */
export function siteOf(ip: string): string {
  return prefixOf(ip, 3.5)
}

/** For people to read: `203.0.113.0/24`, or the /48 of an IPv6 address. */
export function coarseNetwork(ip: string): string {
  const prefix = prefixOf(ip, 3)
  return prefix.includes(':') ? `${prefix}::/48` : `${prefix.slice(0, prefix.lastIndexOf('.'))}.0/24`
}

/** Addresses of an `X-Forwarded-For` header in its order. Parts before one that is no address are not trusted. */
export function forwardedAddresses(header: string): string {
  const parts = header
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(addressIn)
  return parts.slice(parts.lastIndexOf(undefined) + 1).join(', ')
}

/** `192.0.2.1`, `192.0.2.1:443`, `[2001:db8::1]`, `[2001:db8::1]:443`, `2001:db8::1`, with or without a zone. */
const ADDRESS =
  /^(?:\[([\da-f:.]{2,45})(?:%[\w.-]{1,20})?\](?::\d{1,5})?|([\d.]{7,15})(?::\d{1,5})?|([\da-f:.]{2,45})(?:%[\w.-]{1,20})?)$/i

function addressIn(text: string): string | undefined {
  const [, bracketed, v4, v6] = ADDRESS.exec(text) ?? []
  const address = bracketed ?? v4 ?? v6
  return address !== undefined && isIP(address) !== 0 ? address : undefined
}

function prefixOf(ip: string, groupCount: number): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip
  const groups = groupsOf(ip)
  const whole = groups.slice(0, Math.floor(groupCount)).map((group) => group.toString(16))
  const rest = groupCount % 1 === 0 ? [] : [((groups[whole.length] ?? 0) & 0xff00).toString(16)]
  return [...whole, ...rest].join(':')
}

/** The eight groups of an IPv6 address, whose last two may be written as an IPv4 address. */
export function groupsOf(ip: string): number[] {
  const [address = ''] = ip.split('%', 1)
  const [head = '', tail = ''] = address.split('::')
  const [left, right] = [partsOf(head), partsOf(tail)]
  const zeros = Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0)
  return [...left, ...zeros, ...right]
}

function partsOf(text: string): number[] {
  const groups = text.split(':').filter((group) => group !== '')
  return groups.flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [first = 0, second = 0, third = 0, fourth = 0] = group.split('.').map(Number)
    return [first * 256 + second, third * 256 + fourth]
  })
}
