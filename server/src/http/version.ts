import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../shared/errors.ts'

/** Says which version of a record an answer holds, as its `ETag`: `"v7"`. */
export function withVersion(reply: FastifyReply, record: { version: number }): void {
  void reply.header('ETag', `"v${record.version}"`)
}

/** The version that a change expects by `If-Match`; undefined: any. 422 on a header that names no version. */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const [, digits] = /^(?:W\/)?"v(\d{1,9})"$/.exec(header.trim()) ?? []
  if (digits === undefined) throw errors.validation({ 'If-Match': ['must be the ETag of the record, such as "v7"'] })
  return Number(digits)
}
