import { createDecipheriv, hkdfSync, type ECDH } from 'node:crypto'

/** What a browser keeps of a subscription. */
export type BrowserKeys = { pair: ECDH; auth: Buffer }

const HEADER_BYTES = 21
const TAG_BYTES = 16

/** The text of a push, as the browser reads it (RFC 8188, 8291); undefined when it cannot. */
export function decrypt(body: Buffer, { pair, auth }: BrowserKeys): string | undefined {
  try {
    const salt = body.subarray(0, 16)
    const recordBytes = body.readUInt32BE(16)
    const nameEnd = HEADER_BYTES + body.readUInt8(20)
    const sender = body.subarray(HEADER_BYTES, nameEnd)
    const record = body.subarray(nameEnd)
    // Browsers read pushes of one record alone.
    if (record.length > recordBytes) return undefined
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
    const secret = derive(pair.computeSecret(sender), { salt: auth, info, bytes: 32 })
    const key = derive(secret, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), bytes: 16 })
    const nonce = derive(secret, { salt, info: Buffer.from('Content-Encoding: nonce\0'), bytes: 12 })
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-TAG_BYTES))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()])
    const end = padded.findLastIndex((byte) => byte !== 0)
    return padded[end] === 2 ? padded.toString('utf8', 0, end) : undefined
  } catch {
    return undefined
  }
}

function derive(secret: Buffer, { salt, info, bytes }: { salt: Buffer; info: Buffer; bytes: number }): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}
