import { fileURLToPath } from 'node:url'
import type { Deps } from './deps.ts'
import { recordRepeated } from './platform/audit/repeats.ts'
import { registerAuditRoutes, registerAuditRecordRoutes } from './administration/audit/audit.routes.ts'
import { registerRolesRoutes, registerChangeUserRoutes } from './administration/accounts/change-user.routes.ts'
import { registerApprovalsRoutes } from './administration/approvals/approvals.routes.ts'
import { registerBulkRoutes } from './administration/accounts/bulk.routes.ts'
import { listSettings } from './platform/config/shown.ts'
import { registerServiceSettingsRoutes } from './administration/service/service-settings.routes.ts'
import { registerUsersExportRoutes } from './administration/exports/users-export.routes.ts'
import { registerPanelSessionRoutes } from './identity/sign-in/panel-session.routes.ts'
import { registerOwnSessionsRoutes } from './identity/sessions/own-sessions.routes.ts'
import { registerRecoveryRoutes } from './identity/recovery/recovery.routes.ts'
import { registerOwnFactorRoutes } from './identity/sign-in/own-factor.routes.ts'
import { registerOwnPasskeysRoutes } from './identity/sign-in/own-passkeys.routes.ts'
import { registerAuthRoutes } from './identity/sign-in/auth.routes.ts'
import { registerDevicesRoutes } from './push/devices/devices.routes.ts'
import { registerOwnDevicesRoutes } from './push/devices/own-devices.routes.ts'
import { registerChatRoutes } from './marketplace/chat/chat.routes.ts'
import { registerSwapsRoutes } from './marketplace/swaps/swaps.routes.ts'
import { registerHealthRoutes } from './platform/health/health.routes.ts'
import { registerEntryRoutes } from './push/inbox/entries.routes.ts'
import { registerBadgeRoutes } from './push/badges/badge.routes.ts'
import { registerStreamRoutes } from './push/badges/stream.routes.ts'
import { registerInboxRoutes } from './push/inbox/inbox.routes.ts'
import { registerReportedProductsRoutes } from './administration/cases/reported-products.routes.ts'
import { registerProductReportsRoutes, registerReportedUsersRoutes } from './administration/cases/reports.routes.ts'
import { registerProductsRoutes } from './administration/products/products.routes.ts'
import { registerVerificationRoutes } from './administration/cases/verification.routes.ts'
import { registerLikesRoutes } from './marketplace/listings/likes.routes.ts'
import { registerListingsRoutes } from './marketplace/listings/listings.routes.ts'
import { registerOwnProductsRoutes } from './marketplace/own-products/own-products.routes.ts'
import { registerOwnReportsRoutes, registerUserReportRoutes } from './marketplace/reports/reports.routes.ts'
import { registerBreakdownRoutes } from './administration/breakdown/breakdown.routes.ts'
import { registerInsightsRoutes } from './administration/insights/insights.routes.ts'
import { registerPeopleRoutes } from './push/campaigns/people.routes.ts'
import { registerProgressRoutes } from './push/campaigns/progress.routes.ts'
import { registerCampaignRoutes } from './push/campaigns/campaigns.routes.ts'
import { registerUserMessagesRoutes } from './push/campaigns/user-messages.routes.ts'
import { registerReceiptsRoutes } from './push/pipeline/receipts.routes.ts'
import { registerDecisionsRoutes } from './administration/cases/decisions.routes.ts'
import { registerDeskRoutes } from './administration/cases/desk.routes.ts'
import { registerBrowserRoutes } from './administration/browsers/browsers.routes.ts'
import { registerWaitingRoutes } from './administration/waiting/waiting.routes.ts'
import { registerDisputesRoutes } from './administration/cases/disputes.routes.ts'
import { registerReportsRoutes } from './administration/statistics/statistics.routes.ts'
import { registerPersonalSendRoutes } from './push/sending/personal.routes.ts'
import { registerSendingRoutes } from './push/sending/sending.routes.ts'
import { registerSystemRoutes } from './push/sending/system.routes.ts'
import { registerBlocksRoutes } from './identity/blocks/blocks.routes.ts'
import { registerGroupsRoutes } from './marketplace/groups/groups.routes.ts'
import { registerGroupMembersRoutes } from './marketplace/groups/members.routes.ts'
import { registerSubscriptionRoutes } from './marketplace/subscriptions/subscriptions.routes.ts'
import { registerSwapFileRoutes } from './administration/swaps/swap-file.routes.ts'
import { registerSupportRoutes } from './administration/accounts/support.routes.ts'
import { registerCategoriesRoutes, registerPlansRoutes } from './administration/catalogue/catalogue.routes.ts'
import { registerGroupAdministrationRoutes } from './administration/groups/groups.routes.ts'
import { registerProfileRoutes } from './marketplace/profile/profile.routes.ts'
import { registerSettingsRoutes } from './identity/settings/settings.routes.ts'
import { registerRemovedDevicesRoutes } from './push/devices/removed-devices.routes.ts'
import { registerRollOutsRoutes } from './push/roll-outs/roll-outs.routes.ts'
import { registerStatusRoutes } from './push/status/status.routes.ts'
import { registerOwnDataRoutes } from './administration/own-data/own-data.routes.ts'
import { registerAccountRoutes } from './administration/accounts/account.routes.ts'
import { registerUsersRoutes } from './administration/users/users.routes.ts'
import { readActor } from './platform/http/actor.ts'
import { installAccess } from './platform/http/access.ts'
import { releaseDevice } from './push/devices/devices.ts'
import {
  CONNECTION_TIMES,
  installConnections,
  type Connections,
  type ConnectionTimes,
} from './platform/server/connections.ts'
import { ErrorEnvelope } from './platform/http/envelope.ts'
import { installCsv } from './platform/http/csv.ts'
import { listHomesAway } from './platform/db/homes.ts'
import { installErrorHandler } from './platform/http/error-handler.ts'
import { installIdempotency } from './platform/idempotency/idempotency.ts'
import { installPanel, openPanel, readPanelFiles } from './platform/panel/panel-files.ts'
import { registerDocsPage } from './platform/openapi/docs-page.ts'
import { installOpenApi, registerOpenApiRoutes } from './platform/openapi/openapi.ts'
import { installImageCheck } from './platform/people/images.ts'
import { installParameters } from './platform/http/parameters.ts'
import { installRateLimits } from './platform/limits/rate-limit.ts'
import { watchRoutes } from './platform/http/route-table.ts'
import type { App, RouteTable } from './platform/http/routes.ts'
import {
  createServer,
  installBodyParser,
  installHeaders,
  installLoadShedding,
  installReads,
  installRequestLog,
  installRequestTraces,
} from './platform/server/server.ts'
import { createSchemaCompilers } from './platform/server/schema-compilers.ts'

const PANEL = fileURLToPath(new URL('../../panel/dist', import.meta.url))

/** These take longest to make. Applications of a process may share them, as those of tests do. */
export function createShared(isEager = false) {
  return { compilers: createSchemaCompilers(isEager), panelFiles: readPanelFiles(PANEL) }
}

/** The one list of all routes, the same in production and in tests. `times` are shorter in tests of them. */
export async function buildApp(
  deps: Deps,
  times: ConnectionTimes = CONNECTION_TIMES,
  { compilers, panelFiles } = createShared(),
): Promise<{ app: App; routes: RouteTable; connections: Connections }> {
  const app = createServer(deps, times)
  await installHeaders(app, deps)
  // Elsewhere than in production the machine is busy with other things, such as a build beside a trial: 0 is no limit.
  await installLoadShedding(app, deps.log, deps.config.NODE_ENV === 'production' ? 2_000 : 0)
  installRequestTraces(app, deps)
  const connections = installConnections(app, {
    ...deps,
    max: deps.config.CONNECTIONS_MAX,
    isBehindProxy: deps.config.PROXY_KEEP_ALIVE_SECONDS > 0,
  })
  const routes = watchRoutes(app)
  app.addSchema(ErrorEnvelope)
  installErrorHandler(
    app,
    routes,
    (request, { entity, entityId } = { entity: request.routeOptions.url ?? 'unknown' }) =>
      recordRepeated(deps, readActor(request), { action: 'denied', entity, ...(entityId && { entityId }) }),
    (error) => listHomesAway(deps.db, error),
  )
  installPanel(app, await openPanel(PANEL, deps.config, panelFiles))
  app.setValidatorCompiler(compilers.validator)
  app.setSerializerCompiler(compilers.serializer)
  installBodyParser(app)
  installParameters(app)
  installCsv(app)
  await installOpenApi(app)
  installAccess(app, deps)
  installRateLimits(app, deps.rateLimits)
  installImageCheck(app, deps.config)
  installIdempotency(app, deps)
  installReads(app)
  installRequestLog(app, deps)
  registerRoutes(app, deps)
  if (deps.config.NODE_ENV !== 'production') await registerDocsPage(app)
  await app.ready()
  return { app, routes, connections }
}

/** All routes, by file; the tag under which the API's description lists a file's routes, unless they name another. */
const ROUTES: [tag: string, register: (app: App, deps: Deps) => void][] = [
  ['Health', registerHealthRoutes],
  ['Accounts', (app, deps) => registerAuthRoutes(app, deps, releaseDevice)],
  ['Administration', registerPanelSessionRoutes],
  ['Administration', registerWaitingRoutes],
  ['Administration', registerBrowserRoutes],
  ['Accounts', registerRecoveryRoutes],
  ['Accounts', registerOwnSessionsRoutes],
  ['Accounts', registerOwnFactorRoutes],
  ['Accounts', registerOwnPasskeysRoutes],
  ['Devices', registerDevicesRoutes],
  ['Devices', registerOwnDevicesRoutes],
  ['Settings', registerSettingsRoutes],
  ['Profile', registerProfileRoutes],
  ['Blocks', registerBlocksRoutes],
  ['User reports', registerUserReportRoutes],
  ['Subscriptions', registerSubscriptionRoutes],
  ['Groups', registerGroupsRoutes],
  ['Groups', registerGroupMembersRoutes],
  ['Inbox', registerInboxRoutes],
  ['Inbox', registerEntryRoutes],
  ['Swaps', registerSwapsRoutes],
  ['Chats', registerChatRoutes],
  ['Inbox', registerBadgeRoutes],
  ['Inbox', registerStreamRoutes],
  ['Sending', registerPersonalSendRoutes],
  ['Sending', registerSendingRoutes],
  ['Sending', registerSystemRoutes],
  ['Campaigns', registerCampaignRoutes],
  ['Notifications', registerProgressRoutes],
  ['Notifications', registerUserMessagesRoutes],
  ['Notifications', registerPeopleRoutes],
  ['Receipts', registerReceiptsRoutes],
  ['Status', registerStatusRoutes],
  ['Status', registerRollOutsRoutes],
  ['Status', registerRemovedDevicesRoutes],
  ['Products on the market', registerListingsRoutes],
  ['Own products', registerOwnProductsRoutes],
  ['Likes and matches', registerLikesRoutes],
  ['Product reports', registerOwnReportsRoutes],
  ['Users', registerUsersRoutes],
  ['Accounts', registerAccountRoutes],
  ['Accounts', registerOwnDataRoutes],
  ['Users', registerChangeUserRoutes],
  ['Users', registerRolesRoutes],
  ['Settings', (app, deps) => registerServiceSettingsRoutes(app, listSettings(deps.config))],
  ['Products', registerProductsRoutes],
  ['Verification', registerVerificationRoutes],
  ['Verification', registerDeskRoutes],
  ['Administration', registerDecisionsRoutes],
  ['Reported products', registerReportedProductsRoutes],
  ['Reported products', registerProductReportsRoutes],
  ['Reported users', registerReportedUsersRoutes],
  ['Users', registerSupportRoutes],
  ['Categories', registerCategoriesRoutes],
  ['Plans', registerPlansRoutes],
  ['Groups', registerGroupAdministrationRoutes],
  ['Reports', registerReportsRoutes],
  ['Disputes', registerSwapFileRoutes],
  ['Disputes', registerDisputesRoutes],
  ['Users', registerUsersExportRoutes],
  ['Users', registerBulkRoutes],
  ['Administration', registerApprovalsRoutes],
  ['Audit', registerAuditRoutes],
  ['Audit', registerAuditRecordRoutes],
  ['Insights', registerInsightsRoutes],
  ['Insights', registerBreakdownRoutes],
  ['Documentation', registerOpenApiRoutes],
]

function registerRoutes(app: App, deps: Deps): void {
  let tag = ''
  app.addHook('onRoute', (route) => {
    if (tag !== '') route.schema = { tags: [tag], ...route.schema }
  })
  for (const [of, register] of ROUTES) {
    tag = of
    register(app, deps)
  }
  tag = ''
}
