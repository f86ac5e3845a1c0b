import { hash, randomUUID } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { gzip } from 'node:zlib'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import underPressure from '@fastify/under-pressure'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { PlatformDeps } from '../deps.ts'
import type { ConnectionTimes } from './connections.ts'
import { refuseAddress, refuseConnection } from '../http/error-handler.ts'
import { installHostCheck } from './host.ts'
import type { App } from '../http/routes.ts'
import type { Log } from '../shared/log.ts'
import { createServerWithTurns } from './turns.ts'
import { errors } from '../shared/errors.ts'
import { traceparentIn } from '../tracing/tracing.ts'
import { forwardedAddresses, toSite } from '../shared/networks.ts'

const BODY_LIMIT = 64 * 1024
const NOWHERE = '/nowhere'
// Machines ask these every few seconds, and nobody else does: they are neither traced, counted nor logged.
const PROBES = new Set<string | undefined>(['/api/health', '/api/ready'])
const LIVENESS = '/api/health'
const SHEDDING_TOLD_EVERY_MS = 60_000
/** Shorter ones fit one packet as they are. */
const PACKED_FROM_BYTES = 1_400
const PACKED_LEVEL = 4

export function createServer({ config, log }: PlatformDeps, times: ConnectionTimes): App {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    // A start may be slow on a busy machine.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    serverFactory: (handle) => createHttpServer(handle, times),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 128 },
    rewriteUrl: ({ url = '/' }) => (hasEmptyPart(url) ? NOWHERE : url),
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseConnection,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App
}

function createHttpServer(handle: RequestListener, times: ConnectionTimes): Server {
  const server = createServerWithTurns(handle, {
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.keepAliveMs,
    headersTimeout: times.headMs,
    connectionsCheckingInterval: times.lookEveryMs,
    // Node's own refusal would not have our envelope.
    requireHostHeader: false,
  })
  // Node keeps the address that it was asked for, and knows none once the caller has hung up.
  server.on('connection', (socket) => void socket.remoteAddress)
  return server.setTimeout(times.stillMs)
}

/** The router would take the empty part of `/api/user/` or `/api//user` for an id. */
function hasEmptyPart(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path !== '/' && (path.endsWith('/') || path.includes('//'))
}

/** Bodies are JSON only; an empty one is no body, so that a POST without one needs no particular header. */
export function installBodyParser(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyText', null)
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.config.keepsBodyText === true) request.bodyText = body as string
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, (error, value) => done(error ? errors.invalidJson() : null, value))
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.headers['content-encoding'] !== undefined) throw errors.unsupportedMediaType()
    done(null, payload)
  })
}

export async function installHeaders(app: FastifyInstance, { config }: PlatformDeps): Promise<void> {
  // This runs before anything asks for the address of the caller.
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined) headers['x-forwarded-for'] = forwardedAddresses([forwarded].flat().join(', '))
    void reply.header('X-Request-Id', request.id)
    done()
  })
  installHostCheck(app, config)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.NODE_ENV === 'production',
  })
  await app.register(cors, {
    origin: config.CORS_ORIGINS.length > 0 ? config.CORS_ORIGINS : false,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: [
      'Allow',
      'Content-Disposition',
      'Content-Length',
      'ETag',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
      'X-Total-Rows',
      'X-Contact-Masked',
    ],
    maxAge: 600,
  })
}

/**
 * Longer JSON answers to GET are compressed, on another thread. Those to the app also have a weak `ETag`, with which it
 * asks whether anything has changed (304); one that is there already is the version of a record.
 */
export function installReads(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < PACKED_FROM_BYTES) return done(null, payload)
    if (reply.statusCode !== 200 || !['GET', 'HEAD'].includes(request.method)) return done(null, payload)
    // An origin that may call is there already.
    void reply.header('Vary', [reply.getHeader('Vary') ?? [], 'Accept-Encoding'].flat().join(', '))
    if (!reply.hasHeader('ETag') && isOfApp(request)) {
      const tag = `W/"${hash('sha1', payload, 'base64url')}"`
      void reply.header('ETag', tag)
      if (request.headers['if-none-match']?.includes(tag) === true) {
        void reply.code(304).removeHeader('Content-Type')
        // Fastify measures what it leaves out of an answer to HEAD.
        return done(null, request.method === 'HEAD' ? '' : null)
      }
    }
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return done(null, payload)
    void reply.header('Content-Encoding', 'gzip')
    gzip(payload, { level: PACKED_LEVEL }, done)
  })
}

function isOfApp({ routeOptions: { url, config } }: FastifyRequest): boolean {
  return (config.access === 'user' || config.access === 'public') && url?.startsWith('/api/admin/') !== true
}

/** Answers 503 while the event loop is late, except to the liveness probe: a busy process must not be restarted. */
export async function installLoadShedding(app: FastifyInstance, log: Log, maxEventLoopDelay: number): Promise<void> {
  let quietUntil = 0
  await app.register(underPressure, {
    maxEventLoopDelay,
    retryAfter: 5,
    pressureHandler: ({ routeOptions: { url } }, _reply, _type, value) => {
      if (url === LIVENESS) return
      const now = performance.now()
      if (now >= quietUntil) {
        quietUntil = now + SHEDDING_TOLD_EVERY_MS
        log.warn({ late_ms: Math.round(value ?? 0) }, 'the event loop is late: requests are answered 503')
      }
      throw errors.unavailable()
    },
  })
}

export function installRequestLog(app: FastifyInstance, { metrics }: Pick<PlatformDeps, 'metrics'>): void {
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
    const { method, routeOptions, ip, principal, span } = request
    if (PROBES.has(routeOptions.url)) return done()
    metrics.http.answered({ method, route: routeOptions.url, status, seconds: elapsedTime / 1_000 })
    request.log.info({
      method,
      route: routeOptions.url ?? 'unknown',
      status,
      ms: Math.round(elapsedTime * 10) / 10,
      caller: toSite(ip),
      user_id: principal?.userId,
      ...(span?.traceId !== undefined && { trace_id: span.traceId }),
    })
    done()
  })
}

export function installRequestTraces(app: FastifyInstance, { tracing }: PlatformDeps): void {
  app.decorateRequest('span', null)
  if (!tracing.isOn) return
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined && !PROBES.has(route))
      request.span = tracing.begin(`${request.method} ${route}`, {
        kind: 'server',
        of: [traceparentIn(request.headers['traceparent'])],
        startsTrace: true,
        attributes: { 'http.request.method': request.method, 'http.route': route, request_id: request.id },
      })
    done()
  })
  // This runs after the body was read: reading it loses what runs now.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span === null) done()
    else request.span.run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.span?.set({ 'http.response.status_code': reply.statusCode })
    request.span?.end(reply.statusCode >= 500 ? new Error('5xx') : undefined)
    done()
  })
}
