import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

type Creation = { challenge: string; rp: { id: string } }
type Request = { challenge: string; rpId: string; allowCredentials: { id: string }[] }

/** What a test may change of an honest answer. */
export type Lie = { origin?: string; challenge?: string; type?: string; count?: number; attestation?: Buffer }

export type Authenticator = ReturnType<typeof createAuthenticator>

/** Creates and uses passkeys (ES256) like a browser and its authenticator. `counts`: whether it counts its uses. */
export function createAuthenticator(origin = 'http://localhost', { counts = true } = {}) {
  const keys = new Map<string, { key: KeyObject; rpId: string }>()
  let uses = 0
  const clientData = (type: string, challenge: string, lie: Lie) =>
    Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, flags: number, lie: Lie) => {
    if (counts) uses++
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lie.count ?? uses)
    return Buffer.concat([hashContent(rpId), Buffer.from([flags]), count])
  }

  return {
    /** The body of a new passkey. */
    create({ challenge, rp }: Creation, lie: Lie = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(16)
      keys.set(id.toString('base64url'), { key: privateKey, rpId: rp.id })
      const length = Buffer.from([0, id.length])
      const own = Buffer.concat([Buffer.alloc(16), length, id, encodeCose(publicKey)])
      const data = Buffer.concat([head(rp.id, 0x45, lie), own])
      return {
        id: id.toString('base64url'),
        client_data: clientData('webauthn.create', challenge, lie).toString('base64url'),
        attestation: (lie.attestation ?? createAttestation('none', Buffer.from([0xa0]), data)).toString('base64url'),
        transports: ['internal'],
      }
    },
    /** The body of a signed challenge, by the first allowed passkey that it has, or by the one with `id`. */
    sign({ challenge, rpId, allowCredentials }: Request, lie: Lie & { id?: string } = {}) {
      const id = lie.id ?? allowCredentials.find((allowed) => keys.has(allowed.id))?.id ?? ''
      const data = head(keys.get(id)?.rpId ?? rpId, 0x05, lie)
      const client = clientData('webauthn.get', challenge, lie)
      const signature = sign('sha256', Buffer.concat([data, hashContent(client)]), keys.get(id)!.key)
      return {
        id,
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
    },
  }
}

/** CBOR of `{fmt, attStmt, authData}`; the statement is CBOR already. */
export function createAttestation(format: string, statement: Buffer, data: Buffer): Buffer {
  const length = Buffer.from([0x59, data.length >> 8, data.length & 0xff])
  const texts = [text('fmt'), text(format), text('attStmt'), statement, text('authData'), length, data]
  return Buffer.concat([Buffer.from([0xa3]), ...texts])
}

/** CBOR of `{"x5c": [bytes]}`. */
export function certificates(certificate: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xa1]), text('x5c'), Buffer.from([0x81, 0x40 + certificate.length]), certificate])
}

function text(word: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
}

/** CBOR of {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}. */
function encodeCose(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.from([0x21, 0x58, 32]), coordinate(x), Buffer.from([0x22, 0x58, 32]), coordinate(y)]
  return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), ...point])
}

function coordinate(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}

function hashContent(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}
