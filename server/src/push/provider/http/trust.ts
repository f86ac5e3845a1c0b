import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/**
 * The authorities that Node knows, and `ca` (PEM). Made once for all connections, because reading them all takes up to
 * 50 ms.
 */
export function trustAlso(ca: string | undefined): SecureContext {
  return createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates(), ca] })
}
