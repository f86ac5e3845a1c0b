import { createPrivateKey } from 'node:crypto'

/** Whether it is a private key on that curve, as PEM: Apple and the services of browsers take no other. */
export function isP256(key: string): boolean {
  try {
    return createPrivateKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
