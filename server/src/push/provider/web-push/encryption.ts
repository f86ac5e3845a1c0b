import { createCipheriv, createECDH, createHmac, randomBytes, type ECDH } from 'node:crypto'

/** A subscription has them: its point on P-256, uncompressed, and its secret. */
export type ReceiverKeys = { p256dh: Buffer; auth: Buffer }

/** Tests give those of the standard. */
export type SenderRandom = { sender: ECDH; salt: Buffer }

// RFC 8188: salt, record size, length of the key's name; RFC 8291: that name is the sender's point.
const HEADER_BYTES = 16 + 4 + 1
const POINT_BYTES = 65
const TAG_BYTES = 16
const RECORD_BYTES = 4_096
// It ends the last record and takes the place of padding.
const LAST_RECORD = Buffer.of(2)

/** What encryption adds to the text of a push. */
export const ENCRYPTION_BYTES = HEADER_BYTES + POINT_BYTES + LAST_RECORD.length + TAG_BYTES

/** RFC 8291. Throws when the point is not one of the curve. */
export function encryptPush(text: string, to: ReceiverKeys, { sender, salt } = drawRandom()): Buffer {
  const point = sender.getPublicKey()
  const shared = sender.computeSecret(to.p256dh)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), to.p256dh, point])
  return encryptRecord(Buffer.from(text), { secret: derive(to.auth, shared, info, 32), salt, keyName: point })
}

/** RFC 8188, `aes128gcm`, as one record. */
export function encryptRecord(
  text: Buffer,
  { secret, salt, keyName }: { secret: Buffer; salt: Buffer; keyName: Buffer },
): Buffer {
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
  const head = Buffer.alloc(HEADER_BYTES)
  salt.copy(head)
  head.writeUInt32BE(RECORD_BYTES, 16)
  head.writeUInt8(keyName.length, 20)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const parts = [head, keyName, cipher.update(text), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts)
}

/** A fresh key pair for each push (RFC 8291, 3.1). */
function drawRandom(): SenderRandom {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  return { sender, salt: randomBytes(16) }
}

/** HKDF with SHA-256, of which one block is enough. */
function derive(salt: Buffer, secret: Buffer, info: Buffer, bytes: number): Buffer {
  const key = createHmac('sha256', salt).update(secret).digest()
  return createHmac('sha256', key).update(info).update(Buffer.of(1)).digest().subarray(0, bytes)
}
