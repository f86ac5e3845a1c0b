import { timingSafeEqual } from 'node:crypto'
import { hashOfToken } from '../../platform/secrets/encryption.ts'
import type { RelyingParty } from './relying-party.ts'

/** COSE numbers of ES256, EdDSA and RS256, in order of preference. */
export const ALGORITHMS = [-7, -8, -257]

/** A new passkey as the browser returns it; binary parts are base64url. */
export type NewCredential = { id: string; clientData: string; attestation: string }
/** A signature of a passkey as the browser returns it; binary parts are base64url. */
export type Assertion = { id: string; clientData: string; authenticatorData: string; signature: string }

export type PublicKey = { credential_id: Buffer; public_key: Buffer; sign_count: number }
export type Verdict<T> = { good: T } | { fault: string }

type Expected = { party: RelyingParty; challengeHash: Buffer }

export async function verifyNew(expected: Expected, given: NewCredential): Promise<Verdict<PublicKey>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const { id, clientData, attestation } = given
  return judged(async () => {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')))
    // Attestation was not requested. If it has certificates, the library may fetch the revocation lists that they name.
    const isPlain = ['none', 'packed'].includes(decoded.get('fmt')) && decoded.get('attStmt').get('x5c') === undefined
    if (!isPlain) throw new Error('It attests who made the authenticator.')
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectedBy(expected),
      response: toCredential(id, { clientDataJSON: clientData, attestationObject: attestation }),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registrationInfo === undefined) throw new Error('Its signature is wrong.')
    const { id: credentialId, publicKey, counter } = registrationInfo.credential
    return {
      credential_id: Buffer.from(credentialId, 'base64url'),
      public_key: Buffer.from(publicKey),
      sign_count: counter,
    }
  })
}

/** The count of the authenticator, or what is wrong. The caller compares the count. */
export async function verifyAssertion(
  expected: Expected,
  given: Assertion,
  { credential_id, public_key }: Pick<PublicKey, 'credential_id' | 'public_key'>,
): Promise<Verdict<number>> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, clientData: clientDataJSON, authenticatorData, signature } = given
  return judged(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedBy(expected),
      response: toCredential(id, { clientDataJSON, authenticatorData, signature }),
      // The library does not compare a count of 0. The statement that stores the count compares it.
      credential: { id: credential_id.toString('base64url'), publicKey: new Uint8Array(public_key), counter: 0 },
    })
    if (!verified) throw new Error('Its signature is wrong.')
    return authenticationInfo.newCounter
  })
}

function expectedBy({ party, challengeHash }: Expected) {
  return {
    expectedChallenge: (challenge: string) => timingSafeEqual(hashOfToken(challenge), challengeHash),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    // It is preferred, not required, because the password came first (ADR 11).
    requireUserVerification: false,
  }
}

function toCredential<T>(id: string, response: T) {
  return { id, rawId: id, type: 'public-key' as const, response, clientExtensionResults: {} }
}

/** The library throws when it refuses a credential and when it cannot parse it. */
async function judged<T>(check: () => Promise<T>): Promise<Verdict<T>> {
  try {
    return { good: await check() }
  } catch (error) {
    return { fault: String(error).slice(0, FAULT_MAX) }
  }
}

// It may contain what the browser sent.
const FAULT_MAX = 300
