import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Expected } from '../shared/errors.ts'

export function withVersion(reply: FastifyReply, record: { version: number }): void {
  void reply.header('ETag', `"v${record.version}"`)
}

// An entity tag (RFC 9110, 8.8.3) and its separators in a list, whose elements may be empty (5.6.1).
const TAG = /[ \t,]*(?<weak>W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)"(?=[ \t]*(?:,|$))/gy

/** RFC 9110, 13.1.1. The comparison is strong: a weak tag or a foreign one matches no version. */
export function expectedVersions(request: FastifyRequest): Expected {
  const header = request.headers['if-match']?.trim()
  if (header === undefined || header === '*') return undefined
  const tags = [...header.matchAll(TAG)]
  const read = tags.reduce((length, [text]) => length + text.length, 0)
  if (tags.length === 0 || !/^[ \t,]*$/.test(header.slice(read)))
    throw errors.validation({ 'If-Match': ['must be * or a list of ETags, such as "v7"'] })
  return tags.flatMap(({ groups }) => {
    const [, digits] = /^v(\d{1,9})$/.exec(groups?.['tag'] ?? '') ?? []
    return groups?.['weak'] === undefined && digits !== undefined ? [Number(digits)] : []
  })
}

/** The fields to change, and the versions that the caller may have seen. 422 without a field. */
export function readEdit<Change extends object>(request: FastifyRequest & { body: Change }) {
  if (Object.keys(request.body).length === 0) throw errors.validation({ body: ['must contain a field to change'] })
  return { expected: expectedVersions(request), change: request.body }
}
