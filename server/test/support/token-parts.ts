import { createHmac } from 'node:crypto'

/** A token of these parts; `digest` such as `sha256`. */
export function sign(header: object, payload: object, secret: string | Buffer, digest: string): string {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${createHmac(digest, secret).update(input).digest('base64url')}`
}

export function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

export function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
