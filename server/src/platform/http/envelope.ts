import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type, type TObject, type TProperties, type TSchema, type Static } from 'typebox'
import { ERROR_CODES } from '../shared/errors.ts'

export function ok<T>(data: T, message: string): { success: true; data: T; message: string } {
  return { success: true, data, message }
}

export function Success<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), data, message: Type.String() })
}

export const COMPONENT = 'x-component'

/** A schema that the API's description lists under `name`; in code it is in place, as no references are followed. */
export function Component<T extends Record<string, TSchema>>(name: string, properties: T): TObject<T> {
  return Type.Object(properties, { [COMPONENT]: name })
}

export const Pagination = Component('Pagination', {
  current_page: Type.Integer(),
  total_pages: Type.Integer(),
  total_items: Type.Integer(),
  per_page: Type.Integer(),
  total_is_estimate: Type.Optional(Type.Literal(true)),
})

export function Page<T extends TSchema>(item: T) {
  return Type.Object({
    success: Type.Literal(true),
    data: Type.Array(item),
    message: Type.String(),
    pagination: Pagination,
  })
}

export const ERROR_ENVELOPE = 'Error'

/** `data` is the current record of a 412. */
export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String(),
    code: Type.Enum(ERROR_CODES),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    data: Type.Optional(Type.Unknown()),
    request_id: Type.String(),
  },
  { $id: ERROR_ENVELOPE },
)

export const ERROR_ANSWERS: Record<number, [name: string, description: string]> = {
  400: ['BadRequest', 'The request is malformed.'],
  401: ['Unauthorized', 'There is no valid session, or the login failed.'],
  403: ['Forbidden', 'The account does not have the right to do this.'],
  404: ['NotFound', 'The record does not exist, or this caller may not see it.'],
  409: ['Conflict', 'The state of the record does not allow this, or an identical request is still running.'],
  412: ['PreconditionFailed', 'The record has another version; `data` contains the present one.'],
  413: ['ContentTooLarge', 'The body is larger than 64 KB.'],
  415: ['UnsupportedMediaType', 'The body is not application/json.'],
  422: ['UnprocessableContent', 'Some fields are not valid; `errors` names each of them.'],
  429: ['TooManyRequests', 'Too many requests; `Retry-After` says when to try again.'],
  500: ['InternalServerError', 'The service failed.'],
  503: ['ServiceUnavailable', 'The service is not available now; `Retry-After` says when to try again.'],
}

/**
 * The success of a route and the refusals that are its own; all others follow from the route (`listRefusals`). The type
 * names the success alone, so that a handler that returns anything else does not compile.
 */
export function answers<Status extends 200 | 201 | 202, T extends TSchema>(
  status: Status,
  success: T,
  ...refusals: (401 | 403 | 404 | 409 | 412)[]
) {
  return { [status]: success, ...toErrorAnswers(refusals) } as Record<Status, T>
}

export function toErrorAnswers(statuses: number[]): Record<number, object> {
  const content = { 'application/json': { schema: Type.Ref('Error') } }
  return Object.fromEntries(statuses.map((status) => [status, { description: ERROR_ANSWERS[status]?.[1], content }]))
}

type Pending = { approval: { approval_id: number; expires_at: Date } }

/**
 * A 202 with it says that a second administrator must approve the call (ADR 12). Nothing is done yet. The released
 * description of the API has its name, which clients use.
 */
export const PendingApproval = Component('AskedForApproval', {
  approval: Type.Object({
    id: Type.Integer(),
    status: Type.Literal('waiting'),
    expires_at: Type.String({ format: 'date-time' }),
  }),
})

/** Either `done` without `approval`, or only `approval`. */
export function OrPending<T extends TSchema>(done: T) {
  return Type.Unsafe<Static<T> | Static<typeof PendingApproval>>({ oneOf: [done, PendingApproval] })
}

const WAITS = 'This waits for a second administrator'

function isPending(record: object): record is Pending {
  return 'approval' in record
}

function toPending({ approval: { approval_id: id, expires_at } }: Pending): Static<typeof PendingApproval> {
  return { approval: { id, status: 'waiting', expires_at: expires_at.toISOString() } }
}

/** An answer of `write` when a second administrator must approve every such call. */
export const PENDING = { status: 202, message: WAITS, view: toPending } as const

/** An answer of `write`: 202 when a second administrator must approve the call first. */
export function orPending<R extends object, V>(answer: { status: 200 | 202; message: string; view: (record: R) => V }) {
  return {
    status: (record: R | Pending) => (isPending(record) ? 202 : answer.status),
    message: (record: R | Pending) => (isPending(record) ? WAITS : answer.message),
    view: (record: R | Pending) => (isPending(record) ? toPending(record) : answer.view(record)),
    current: answer.view,
  }
}

/** One JSON type: the serializer is faster on it than on a union. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] })
}

/** A moment in an answer; the serializer writes a Date as ISO 8601. In a request it is `Type.String`. */
export const Timestamp = Type.Unsafe<Date | string>(Type.String({ format: 'date-time' }))

/** What a schema and a row name alike, so that a view says only what differs. */
export function pickFields<Fields extends TProperties, Row extends object>(
  { properties }: TObject<Fields>,
  row: Row,
): Pick<Row, keyof Row & keyof Fields> {
  const picked: Partial<Row> = {}
  for (const name of Object.keys(properties) as (keyof Row)[]) if (name in row) picked[name] = row[name]
  return picked as Pick<Row, keyof Row & keyof Fields>
}

/** Unknown fields are refused (decision A6). */
/** `example`: a body that does nothing to anybody, for the API's description. */
export function Body<T extends Record<string, TSchema>>(properties: T, example?: object): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...(example && { examples: [example] }) })
}

export const EmptyBody = Type.Unsafe<Record<string, never> | null>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
})

/** Ids stay within JavaScript's safe range (decision A7). */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export function Events(description: string, example: string): never {
  // It has no JSON schema; the type is only the JSON alternative.
  return { description, content: { 'text/event-stream': { schema: Type.String({ examples: [example] }) } } } as never
}

export function asEvents(reply: FastifyReply, stream: Readable): FastifyReply {
  // A proxy must not gather events before it passes them on.
  return reply.type('text/event-stream').header('X-Accel-Buffering', 'no').send(stream)
}
