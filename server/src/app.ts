import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import underPressure from '@fastify/under-pressure'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { recordRepeated } from './platform/audit/repeats.ts'
import { registerAuditRoutes } from './administration/audit/audit.routes.ts'
import { registerBulkRoutes } from './administration/accounts/bulk.routes.ts'
import { registerUsersExportRoutes } from './administration/exports/users-export.routes.ts'
import { registerPanelSessionRoutes } from './identity/sign-in/panel-session.routes.ts'
import { registerAuthRoutes } from './identity/sign-in/auth.routes.ts'
import { registerDevicesRoutes } from './push/devices/devices.routes.ts'
import { registerOwnDevicesRoutes } from './push/devices/own-devices.routes.ts'
import { registerChatRoutes } from './marketplace/chat/chat.routes.ts'
import { registerSwapsRoutes } from './marketplace/swaps/swaps.routes.ts'
import { registerHealthRoutes } from './platform/health/health.routes.ts'
import { registerHistoryRoutes } from './push/inbox/history.routes.ts'
import { registerStreamRoutes } from './push/badges/stream.routes.ts'
import { registerInboxRoutes } from './push/inbox/inbox.routes.ts'
import { registerProductReportsRoutes } from './administration/moderation/product-reports.routes.ts'
import { registerProductsRoutes } from './administration/products/products.routes.ts'
import { registerVerificationRoutes } from './administration/moderation/verification.routes.ts'
import { registerLikesRoutes } from './marketplace/listings/likes.routes.ts'
import { registerListingsRoutes } from './marketplace/listings/listings.routes.ts'
import { registerOwnProductsRoutes } from './marketplace/own-products/own-products.routes.ts'
import { registerOwnReportsRoutes } from './marketplace/product-reports/own-reports.routes.ts'
import { registerInsightsRoutes } from './administration/insights/insights.routes.ts'
import { registerProgressRoutes } from './push/campaigns/progress.routes.ts'
import { registerPromotionsRoutes } from './push/campaigns/promotions.routes.ts'
import { registerUserMessagesRoutes } from './push/campaigns/user-messages.routes.ts'
import { registerReceiptsRoutes } from './push/receipts/receipts.routes.ts'
import { registerDisputesRoutes } from './administration/disputes/disputes.routes.ts'
import { registerReportsRoutes } from './administration/reports/reports.routes.ts'
import { registerPersonalSendRoutes } from './push/sending/personal.routes.ts'
import { registerSendingRoutes } from './push/sending/sending.routes.ts'
import { registerSystemRoutes } from './push/sending/system.routes.ts'
import { registerBlocksRoutes } from './identity/blocks/blocks.routes.ts'
import { registerGroupsRoutes } from './marketplace/groups/groups.routes.ts'
import { registerGroupMembersRoutes } from './marketplace/groups/members.routes.ts'
import { registerSubscriptionRoutes } from './marketplace/subscriptions/subscriptions.routes.ts'
import { registerReportedUsersRoutes } from './administration/moderation/user-reports.routes.ts'
import { registerUserReportRoutes } from './marketplace/user-reports/user-reports.routes.ts'
import { registerProfileRoutes } from './marketplace/profile/profile.routes.ts'
import { registerSettingsRoutes } from './identity/settings/settings.routes.ts'
import { registerStatusRoutes } from './push/status/status.routes.ts'
import { registerAccountRoutes } from './administration/accounts/account.routes.ts'
import { registerUserAdministrationRoutes } from './administration/accounts/administration.routes.ts'
import { registerUsersRoutes } from './administration/users/users.routes.ts'
import { actorOf } from './platform/http/actor.ts'
import { installAccess } from './platform/http/access.ts'
import { can } from './identity/permissions/permissions.ts'
import { releaseDevice } from './push/devices/devices.ts'
import { CONNECTION_TIMES, installConnectionLimit, type ConnectionTimes } from './platform/http/connections.ts'
import { ErrorEnvelope } from './platform/http/envelope.ts'
import { installErrorHandler, refuseAddress, refuseConnection } from './platform/http/error-handler.ts'
import { installHostCheck } from './platform/http/host.ts'
import { installIdempotency } from './platform/idempotency/idempotency.ts'
import { forwardedAddresses } from './platform/shared/networks.ts'
import { openPanel } from './platform/panel/panel-files.ts'
import type { Config } from './platform/config/config.ts'
import { installOpenApi, registerOpenApiRoutes } from './platform/http/openapi.ts'
import { installParameters } from './platform/http/parameters.ts'
import { installRateLimits } from './platform/limits/rate-limit.ts'
import { watchRoutes, type App, type RouteTable } from './platform/http/routes.ts'
import { createSchemaCompilers } from './schema-compilers.ts'
import { errors } from './platform/shared/errors.ts'

const PANEL = fileURLToPath(new URL('../../panel/dist', import.meta.url))
const BODY_LIMIT = 64 * 1024
// An address that no route has.
const NOWHERE = '/nowhere'

/**
 * Builds the API over its parts: the one list of all routes, the same in production and in tests. Gives the
 * application, ready to listen, and the table of its routes. `times` are shorter in tests of them.
 */
export async function buildApp(
  deps: Deps,
  times: ConnectionTimes = CONNECTION_TIMES,
  compilers = createSchemaCompilers(),
): Promise<{ app: App; routes: RouteTable }> {
  const app = createServer(deps, times)
  await installHeaders(app, deps)
  installConnectionLimit(app, deps.config.CONNECTIONS_MAX, deps.log)
  const routes = watchRoutes(app)
  app.addSchema(ErrorEnvelope)
  installErrorHandler(
    app,
    routes,
    (request, { entity, entityId } = { entity: request.routeOptions.url ?? 'unknown' }) =>
      recordRepeated(deps, actorOf(request), { action: 'denied', entity, ...(entityId && { entityId }) }),
    await openPanel(PANEL, wallOf(deps.config)),
  )
  app.setValidatorCompiler(compilers.validator)
  app.setSerializerCompiler(compilers.serializer)
  installBodyParser(app)
  installParameters(app)
  await installOpenApi(app)
  installAccess(app, { ...deps, can })
  installRateLimits(app, deps.rateLimits)
  installIdempotency(app, deps)
  installRequestLog(app)

  registerHealthRoutes(app, deps)
  registerAuthRoutes(app, deps, (tx, userId, deviceId) => releaseDevice(deps, tx, userId, deviceId))
  registerPanelSessionRoutes(app, deps)
  registerDevicesRoutes(app, deps)
  registerOwnDevicesRoutes(app, deps)
  registerSettingsRoutes(app, deps)
  registerProfileRoutes(app, deps)
  registerBlocksRoutes(app, deps)
  registerUserReportRoutes(app, deps)
  registerSubscriptionRoutes(app, deps)
  registerGroupsRoutes(app, deps)
  registerGroupMembersRoutes(app, deps)
  registerInboxRoutes(app, deps)
  registerHistoryRoutes(app, deps)
  registerSwapsRoutes(app, deps)
  registerChatRoutes(app, deps)
  registerStreamRoutes(app, deps)
  registerPersonalSendRoutes(app, deps)
  registerSendingRoutes(app, deps)
  registerSystemRoutes(app, deps)
  registerPromotionsRoutes(app, deps)
  registerProgressRoutes(app, deps)
  registerUserMessagesRoutes(app, deps)
  registerReceiptsRoutes(app, deps)
  registerStatusRoutes(app, deps)
  registerListingsRoutes(app, deps)
  registerOwnProductsRoutes(app, deps)
  registerLikesRoutes(app, deps)
  registerOwnReportsRoutes(app, deps)
  registerUsersRoutes(app, deps)
  registerAccountRoutes(app, deps)
  registerUserAdministrationRoutes(app, deps)
  registerProductsRoutes(app, deps)
  registerVerificationRoutes(app, deps)
  registerProductReportsRoutes(app, deps)
  registerReportedUsersRoutes(app, deps)
  registerReportsRoutes(app, deps)
  registerDisputesRoutes(app, deps)
  registerUsersExportRoutes(app, deps)
  registerBulkRoutes(app, deps)
  registerAuditRoutes(app, deps)
  registerInsightsRoutes(app, deps)
  const { API_DOCS, NODE_ENV } = deps.config
  const hasPage = API_DOCS === 'on' || (API_DOCS === 'auto' && NODE_ENV !== 'production')
  await registerOpenApiRoutes(app, { hasPage })
  await app.ready()
  return { app, routes }
}

function createServer({ config, log }: Deps, times: ConnectionTimes): App {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.keepAliveMs,
    connectionTimeout: times.stillMs,
    http: {
      headersTimeout: times.headMs,
      connectionsCheckingInterval: times.lookEveryMs,
      // Its own refusal would not wear our envelope.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 128 },
    // HEAD would run the GET handlers that write (decision A8).
    exposeHeadRoutes: false,
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

/** The simulator's own page, where it is the provider. Production never runs on it. */
function wallOf({ PUSH_PROVIDER, EXPO_BASE_URL }: Config): string | undefined {
  return PUSH_PROVIDER === 'simulator' ? EXPO_BASE_URL : undefined
}

/**
 * True for an address such as `/api/user/` or `/api//user`. Without this the router takes the empty part for an id, and
 * the answer is about that id, or asks for a token.
 */
function hasEmptyPart(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path !== '/' && (path.endsWith('/') || path.includes('//'))
}

/** JSON only; an empty body is no body, so that a POST without one needs no particular header. */
function installBodyParser(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyText', null)
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.config.keepsBodyText === true) request.bodyText = body as string
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, (error, value) => done(error ? errors.invalidJson() : null, value))
  })
  app.addHook('preParsing', async (request) => {
    if (request.headers['content-encoding'] !== undefined) throw errors.unsupportedMediaType()
  })
}

async function installHeaders(app: FastifyInstance, { config }: Deps): Promise<void> {
  // Before anything asks for the address of the caller.
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined) headers['x-forwarded-for'] = forwardedAddresses([forwarded].flat().join(', '))
  })
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  installHostCheck(app, config)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.NODE_ENV === 'production',
  })
  await app.register(cors, {
    origin: config.CORS_ORIGINS.length > 0 ? config.CORS_ORIGINS : false,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // What a page may send without being asked for each, and what it may read of an answer.
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: [
      'Allow',
      'Content-Disposition',
      'Content-Length',
      'ETag',
      'Retry-After',
      'X-Request-Id',
      'X-Total-Rows',
    ],
    maxAge: 600,
  })
  await app.register(underPressure, {
    // A machine that runs tests is busy with them: 0 is no limit.
    maxEventLoopDelay: config.NODE_ENV === 'test' ? 0 : 2_000,
    retryAfter: 5,
    pressureHandler: () => {
      throw errors.unavailable()
    },
  })
}

function installRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.principal?.userId,
    })
  })
}
