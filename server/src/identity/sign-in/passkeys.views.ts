import { Type, type Static } from 'typebox'
import { Body, Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { toHandle, type PasskeyRequest, type NewRequest } from '../second-factor/passkeys.ts'
import type { Passkey } from '../second-factor/passkeys.queries.ts'
import { ALGORITHMS, type Assertion, type NewCredential } from '../second-factor/webauthn.ts'

const TIMEOUT_MS = 5 * 60_000

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const Transports = Type.Array(Type.Enum(TRANSPORTS), { maxItems: 7 })
const Known = Type.Object({ type: Type.Literal('public-key'), id: Type.String(), transports: Transports })

export const OwnPasskey = Component('Passkey', {
  id: Type.Integer(),
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
})

/** Browsers take it with `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const CreationOptions = Component('PasskeyCreationOptions', {
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  attestation: Type.Literal('none'),
  excludeCredentials: Type.Array(Known),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred'),
    userVerification: Type.Literal('preferred'),
  }),
})

/** Browsers take it with `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const RequestOptions = Component('PasskeyRequestOptions', {
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  userVerification: Type.Literal('preferred'),
  allowCredentials: Type.Array(Known),
})

function Binary(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]*$',
    'x-fault': 'must be base64url',
    description,
  })
}

const CredentialId = Binary(1_400, '`id` of the credential.')
const ClientData = Binary(4_000, '`response.clientDataJSON` in base64url.')

export const Credential = Body({
  id: CredentialId,
  client_data: ClientData,
  attestation: Binary(8_000, '`response.attestationObject` in base64url.'),
  transports: Transports,
})

export const Signed = Body({
  id: CredentialId,
  client_data: ClientData,
  authenticator_data: Binary(4_000, '`response.authenticatorData` in base64url.'),
  signature: Binary(1_400, '`response.signature` in base64url.'),
})

export function toPasskey(row: Passkey): Static<typeof OwnPasskey> {
  return { ...pickFields(OwnPasskey, row), id: row.passkey_id }
}

export function toCreation({ userId, email, challenge, party, passkeys }: NewRequest): Static<typeof CreationOptions> {
  return {
    challenge,
    rp: { id: party.id, name: 'Swapbell' },
    user: { id: toHandle(userId), name: email, displayName: email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(toKnown),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  }
}

export function toRequest({ challenge, party, passkeys }: PasskeyRequest): Static<typeof RequestOptions> {
  return {
    challenge,
    rpId: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: passkeys.map(toKnown),
  }
}

export function credentialFrom({ id, client_data, attestation }: Static<typeof Credential>): NewCredential {
  return { id, clientData: client_data, attestation }
}

export function assertionFrom({ id, client_data, authenticator_data, signature }: Static<typeof Signed>): Assertion {
  return { id, clientData: client_data, authenticatorData: authenticator_data, signature }
}

function toKnown({ credential_id, transports }: Passkey): Static<typeof Known> {
  const known = TRANSPORTS.filter((transport) => transports.includes(transport))
  return { type: 'public-key', id: credential_id.toString('base64url'), transports: known }
}
