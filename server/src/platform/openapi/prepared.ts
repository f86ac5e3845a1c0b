import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Prepared = { type: string; body: Buffer; gzipped: Buffer; tag: string }

const compress = promisify(gzip)

export async function prepared(type: string, body: Buffer): Promise<Prepared> {
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  return { type, body, gzipped: await compress(body), tag }
}

/** 304 to whoever has it (RFC 9110, 13.1.2). */
export function sendPrepared({ headers }: FastifyRequest, reply: FastifyReply, file: Prepared): FastifyReply {
  const isPacked = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  // The two forms have different bytes, so they have different strong tags.
  const tag = isPacked ? `"${file.tag}-gzip"` : `"${file.tag}"`
  void reply.headers({ ETag: tag, Vary: 'Accept-Encoding' })
  if (headers['if-none-match']?.includes(file.tag) === true) return reply.code(304).send()
  if (isPacked) void reply.header('Content-Encoding', 'gzip')
  return reply
    .code(200)
    .type(file.type)
    .send(isPacked ? file.gzipped : file.body)
}
