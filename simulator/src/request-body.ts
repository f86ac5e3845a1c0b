import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { invalid, refusal, type Refusal } from './refusal.ts'

/** Far above 100 messages of 4 KB, so that a message that is too big is still read and gets its receipt. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/**
 * The request's body as text, unzipped when it is gzip; a refusal when it is too large or does not match its headers.
 */
export async function readText(request: IncomingMessage): Promise<string | Refusal> {
  const bytes = await readBytes(request)
  if (!bytes) return refusal(413, 'PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes`)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return bytes.toString()
  if (encoding !== 'gzip')
    return refusal(415, 'UNSUPPORTED_MEDIA_TYPE', `The content encoding ${encoding} is not understood`)
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES }).toString()
  } catch (error) {
    if (error instanceof RangeError) {
      return refusal(413, 'PAYLOAD_TOO_LARGE', `The body unzips to more than ${MAX_BODY_BYTES} bytes`)
    }
    return invalid('"value" must be gzip, as its content encoding says')
  }
}

/** The raw body, or null when it is too large; the rest is then read and dropped, so that the answer arrives. */
async function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      else chunks.length = 0
    })
    request.on('end', () =>
      resolve(size > MAX_BODY_BYTES ? null : chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
    )
    request.on('error', reject)
  })
}
