import { randomUUID } from 'node:crypto'
import { ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable, isInTheWay } from '../db/transaction.ts'
import { AppError, errors, type Target } from '../shared/errors.ts'
import { methodsAt } from './route-table.ts'
import type { RouteTable } from './routes.ts'

/**
 * `denied` is called before the answer to a signed-in call that lacks a right (decision C14). `listAway` gives the
 * homes of a server that is away.
 */
export function installErrorHandler(
  app: FastifyInstance,
  routes: RouteTable,
  denied: (request: FastifyRequest, target: Target | undefined) => Promise<void>,
  listAway: (error: unknown) => Promise<number[]> = async () => [],
): void {
  app.setErrorHandler(async (thrown: FastifyError | AppError, request, reply) => {
    const error = await afterKeeping(thrown, request)
    if (isGone(error, request)) {
      request.log.info('the client disconnected before its request was complete')
      return sendError(reply, request, unreadable())
    }
    const known = await nameHomes(toAppError(error), error)
    if (known === error) request.log.debug({ code: known.code }, 'request refused')
    else if (known.status >= 500) request.log.error({ err: error }, 'request failed')
    return sendError(reply, request, known)
  })
  const nameHomes = async (known: AppError, error: unknown) => {
    if (known.status !== 503 || known === error) return known
    const homes = await listAway(error).catch(() => [])
    return homes.length > 0 ? errors.homesAway(homes.join(', ')) : known
  }
  const afterKeeping = async (error: FastifyError | AppError, request: FastifyRequest) => {
    if (!(error instanceof AppError && error.status === 403 && request.principal)) return error
    return denied(request, error.extras.target).then(
      () => error,
      (fault: unknown) => fault as FastifyError,
    )
  }
  app.setNotFoundHandler((request, reply) => {
    const allow = methodsAt(routes, request.url)
    return sendError(reply, request, allow ? errors.methodNotAllowed(allow) : errors.notFound('This address'))
  })
}

/** No hook runs for an address that the router cannot parse, so its headers are set here. */
export function refuseAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' })
  void sendError(reply, request, errors.badRequest('The address cannot be read.'))
}

export function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0 || isAnswered(socket)) {
    socket.destroy()
    return
  }
  const known = (CONNECTION_ERRORS[error.code ?? ''] ?? unreadable)()
  const id = randomUUID()
  const body = JSON.stringify(errorEnvelope(known, id))
  socket.end(
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  )
  const cutOff = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(cutOff))
}

const LINGER_MS = 1_000

const CONNECTION_ERRORS: Record<string, () => AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
}

function unreadable(): AppError {
  return errors.badRequest('The request is malformed.')
}

/** A second answer would be read as part of the first. */
function isAnswered(socket: Socket): boolean {
  // Node's own handler does so; there is no public way to find out.
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  return answer instanceof ServerResponse && answer.headersSent
}

function sendError(reply: FastifyReply, request: FastifyRequest, error: AppError): FastifyReply {
  const { retryAfterSeconds, allow, quota } = error.extras
  if (quota !== undefined) request.quotas = [...(request.quotas ?? []), quota]
  if (retryAfterSeconds !== undefined)
    void reply.header('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))))
  if (allow !== undefined) void reply.header('Allow', allow)
  if (error.status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorEnvelope(error, request.id))
}

export function errorEnvelope({ message, code, extras: { errors: fields, data } }: AppError, requestId: string) {
  return {
    success: false,
    error: message,
    code,
    ...(fields && { errors: fields }),
    ...(data !== undefined && { data }),
    request_id: requestId,
  }
}

function isGone(error: FastifyError | AppError, { raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete && error.code === 'ECONNRESET'
}

function toAppError(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error
  // The same call may end in time when it is tried again, also one whose statement somebody cancelled.
  if (isDatabaseUnavailable(error) || isInTheWay(error)) return errors.unavailable()
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return errors.unsupportedMediaType()
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return errors.payloadTooLarge()
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return errors.invalidJson()
    default:
      return frameworkError(error)
  }
}

function frameworkError(error: FastifyError): AppError {
  const status = error.statusCode ?? 500
  if (error instanceof SyntaxError) return errors.invalidJson()
  if (status === 503) return errors.unavailable()
  return status >= 400 && status < 500 ? errors.badRequest('The request is malformed.') : errors.internal()
}
