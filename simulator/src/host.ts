import type { IncomingMessage } from 'node:http'

/**
 * True when a request came under a name of this simulator: a loopback name, the address at which it was reached, or one
 * of `hostNames`. A page of another site can let its own name point here (DNS rebinding), and is then allowed by the
 * browser to read what it gets; but the request still carries that name.
 */
export function isKnownHost({ headers, socket }: IncomingMessage, hostNames: string[]): boolean {
  const name = readName(headers.host ?? '')
  const reachedAt = socket.localAddress?.replace('::ffff:', '')
  return name === 'localhost' || name === '::1' || isLoopbackV4(name) || name === reachedAt || hostNames.includes(name)
}

/** The name of a Host header, in small letters, without port and brackets. */
function readName(host: string): string {
  const name = host.startsWith('[') ? host.slice(1).split(']', 1)[0] : host.split(':', 1)[0]
  return (name ?? '').toLowerCase()
}

function isLoopbackV4(name: string): boolean {
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}
