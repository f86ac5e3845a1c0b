import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || parsed(name)?.range() === 'loopback'
}

export function toNetwork(ip: string): string {
  return toPrefix(ip, 4)
}

/** The largest network of one subscriber: an IPv4 address, or the /56 of an IPv6 one, with 256 networks of /64. */
export function toSite(ip: string): string {
  return toPrefix(ip, 3.5)
}

/** Gives a text for people to read: `203.0.113.0/24`, or the /48 of an IPv6 address. */
export function coarseNetwork(ip: string): string {
  const prefix = toPrefix(ip, 3)
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

function toPrefix(ip: string, groupCount: number): string {
  if (isIP(ip) !== 6) return ip
  const address = parsed(ip)
  if (!(address instanceof ipaddr.IPv6)) return String(address)
  const whole = address.parts.slice(0, Math.floor(groupCount)).map((group) => group.toString(16))
  const rest = groupCount % 1 === 0 ? [] : [((address.parts[whole.length] ?? 0) & 0xff00).toString(16)]
  return [...whole, ...rest].join(':')
}

/** IPv4 in the form of IPv6 is read as IPv4. `ipaddr.process` does so too, but takes twice as long. */
function parsed(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [address = ''] = ip.split('%', 1)
  // The library alone would read `127.1` as an address.
  const version = isIP(address)
  if (version !== 6) return version === 4 ? ipaddr.IPv4.parse(address) : undefined
  const read = ipaddr.IPv6.parse(address)
  return read.isIPv4MappedAddress() ? read.toIPv4Address() : read
}
