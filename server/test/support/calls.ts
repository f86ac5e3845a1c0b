import { randomUUID } from 'node:crypto'
import type { GivenUser } from './given.ts'
import { drain } from './drain.ts'
import { approvalCalls, factorCalls, givenApprovals, type ApprovalWorld } from './factor-calls.ts'
import { send } from './campaign.ts'
import { givenProductWorld, createProductCalls, type ProductWorld } from './product-calls.ts'
import { findOperation, readDocument } from './openapi.ts'
import type { Service } from './service.ts'
import { givenMarketWorld, createMarketCalls, type MarketWorld } from './market-calls.ts'
import { givenPeopleWorld, createPeopleCalls, type PeopleWorld } from './people-calls.ts'
import { givenSwapWorld, createSwapCalls, type SwapWorld } from './swap-calls.ts'
import { givenUserWorld, createUserCalls, type UserWorld } from './user-calls.ts'

/** A request that its route accepts, made by whoever may make it. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  url: string
  payload?: Record<string, unknown>
  /** What an allowed caller is answered. */
  status: number
}

/** People and campaigns that the calls are about, and the calls that need none of them. */
export type World = {
  declared: Record<string, Call>
  admin: GivenUser
  owner: GivenUser
  /** A notification of the owner. */
  notificationId: number
  /** A campaign that is over, one that runs, and a message that runs and is none. */
  finishedId: number
  runningId: number
  usualId: number
  /** An export that was requested. */
  exportId: number
  approvals: ApprovalWorld
  products: ProductWorld
  users: UserWorld
  people: PeopleWorld
  swaps: SwapWorld
  market: MarketWorld
}

/** A world in which every call of `createCalls` does something. */
export async function givenWorld(service: Service): Promise<World> {
  const { given, deps } = service
  const admin = await given.admin()
  const owner = await given.user({ devices: [{ platform: 'android' }] })
  const finishedId = await send(service, [owner])
  await drain(service)
  const runningId = await send(service, [owner])
  const usualId = await send(service, [owner], { promotional: false })
  const { notification_id: notificationId } = await deps.db
    .selectFrom('notifications')
    .select('notification_id')
    .where('message_id', '=', finishedId)
    .executeTakeFirstOrThrow()
  const exportId = await givenExport(service, admin)
  const approvals = await givenApprovals(service)
  const products = await givenProductWorld(service, owner, admin)
  const users = await givenUserWorld(service)
  const people = await givenPeopleWorld(service, owner)
  const swaps = await givenSwapWorld(service, owner)
  const market = await givenMarketWorld(service, owner)
  const declared = await declaredCalls(service)
  const worlds = { declared, products, users, people, swaps, market }
  return { admin, owner, notificationId, finishedId, runningId, usualId, exportId, approvals, ...worlds }
}

async function givenExport({ app }: Service, { headers }: GivenUser): Promise<number> {
  const answer = await app.inject({ method: 'POST', url: '/api/admin/v1/users-export', headers })
  return answer.json<{ data: { id: number } }>().data.id
}

/** Each route as it is declared: with the example of its body, and ids that nobody has. */
async function declaredCalls({ app, routes }: Service): Promise<Record<string, Call>> {
  const document = await readDocument(app)
  return Object.fromEntries(
    routes.map(({ method, url }) => {
      const { requestBody, responses = {} } = findOperation(document, method, url) ?? {}
      const payload = requestBody?.content['application/json']?.example as Call['payload']
      const status = url.includes(':') ? 404 : Number(Object.keys(responses)[0] ?? 200)
      const call = { method: method as Call['method'], url: url.replaceAll(/:\w+/g, '999999999'), status }
      return [`${method} ${url}`, { ...call, ...(payload && { payload }) }]
    }),
  )
}

/** A valid call for each route of the service, by `METHOD url`, in an order in which all of them can be made. */
export function createCalls(world: World): Record<string, Call> {
  const written = writtenCalls(world)
  const declared = Object.entries(world.declared).filter(([name]) => !(name in written))
  return { ...Object.fromEntries(declared), ...written }
}

/** The calls that are about a record, or whose answer is another one. */
function writtenCalls({
  owner,
  notificationId,
  finishedId,
  runningId,
  usualId,
  products,
  users,
  people,
  swaps,
  market,
  exportId,
  approvals,
}: World): Record<string, Call> {
  const content = { title: 'Hello', text: 'Swap weekend' }
  const credentials = { email: `${randomUUID()}@example.com`, password: randomUUID() }
  const campaign = '/api/admin/promotional-notifications'
  const byId = `${campaign}/:notification_id`
  const any = '/api/admin/notifications'
  return {
    'POST /api/v1/register': post('/api/v1/register', 201, { ...credentials, name: 'Ada' }),
    'POST /api/v1/login': post('/api/v1/login', 200, credentials),
    'POST /api/admin/v1/login': post('/api/admin/v1/login', 403, credentials),
    'POST /api/admin/v1/session': post('/api/admin/v1/session', 403, credentials),
    ...factorCalls(),
    ...approvalCalls(approvals),
    // The service pushes to no browsers.
    'POST /api/admin/v1/browser': post('/api/admin/v1/browser', 409, { token: 'a' }),
    'POST /api/user/save-phone-token': post('/api/user/save-phone-token', 200, {
      token: `ExponentPushToken[${randomUUID()}]`,
      device_id: 'second phone',
      platform: 'ios',
    }),
    'DELETE /api/user/phone-token': {
      method: 'DELETE',
      url: '/api/user/phone-token?device_id=second%20phone',
      status: 200,
    },
    'PUT /api/user/settings': {
      method: 'PUT',
      url: '/api/user/settings',
      payload: { notification: '0' },
      status: 200,
    },
    'PATCH /api/v1/me/settings': {
      method: 'PATCH',
      url: '/api/v1/me/settings',
      payload: {
        events: { swap_match: false },
        quiet_hours: { start: '22:00', end: '07:00', except: ['new_message'] },
      },
      status: 200,
    },
    'POST /api/notification/:notification_id/events': post(`/api/notification/${notificationId}/events`, 200, {
      event: 'shown',
    }),
    'GET /api/notification/:notification_id/read': get(`/api/notification/${notificationId}/read`),
    'POST /api/v1/inbox/read': post('/api/v1/inbox/read', 200, { up_to: finishedId }),
    'POST /api/v1/inbox/:message_id/read': post(`/api/v1/inbox/${finishedId}/read`, 200),
    'POST /api/v1/inbox/:message_id/archive': post(`/api/v1/inbox/${finishedId}/archive`, 200),
    'GET /api/send-test-notification': get(
      `/api/send-test-notification?user_id=${owner.userId}&title=Test&text=${randomUUID()}`,
      202,
    ),
    'POST /api/send-test-notification': post('/api/send-test-notification', 202, {
      ...content,
      user_id: owner.userId,
    }),
    'POST /api/send-group-join-notification': post('/api/send-group-join-notification', 202, {
      ...content,
      admin_user_id: owner.userId,
      link: 'swapbell://groups/7',
    }),
    'POST /api/admin/send-notification-all': post('/api/admin/send-notification-all', 202, content),
    'POST /api/admin/send-notification-sandbox': post('/api/admin/send-notification-sandbox', 202, content),
    'POST /api/admin/send-notification-all/preview': post('/api/admin/send-notification-all/preview', 200, content),
    'POST /api/admin/send-notification': post('/api/admin/send-notification', 202, {
      ...content,
      user_ids: [owner.userId],
    }),
    'POST /api/admin/send-notification/approval': post('/api/admin/send-notification/approval', 202, {
      ...content,
      user_ids: [owner.userId],
    }),
    'POST /api/admin/send-system-notification': post('/api/admin/send-system-notification', 202, {
      ...content,
      user_ids: [owner.userId],
    }),
    [`GET ${byId}`]: get(`${campaign}/${finishedId}`),
    [`GET ${byId}/progress`]: get(`${campaign}/${finishedId}/progress`),
    [`POST ${byId}/pause`]: post(`${campaign}/${runningId}/pause`, 200),
    [`POST ${byId}/resume`]: post(`${campaign}/${runningId}/resume`, 200),
    [`POST ${byId}/stop`]: post(`${campaign}/${runningId}/stop`, 200),
    [`POST ${byId}/progress-link`]: post(`${campaign}/${finishedId}/progress-link`, 200),
    [`GET ${any}/:notification_id`]: get(`${any}/${usualId}`),
    [`GET ${any}/:notification_id/progress`]: get(`${any}/${finishedId}/progress`),
    [`POST ${any}/:notification_id/pause`]: post(`${any}/${usualId}/pause`, 200),
    [`POST ${any}/:notification_id/resume`]: post(`${any}/${usualId}/resume`, 200),
    [`POST ${any}/:notification_id/stop`]: post(`${any}/${usualId}/stop`, 200),
    [`POST ${any}/:notification_id/progress-link`]: post(`${any}/${usualId}/progress-link`, 200),
    [`GET ${any}/:notification_id/progress-stream`]: get(`${any}/${usualId}/progress-stream?link=none`, 404),
    [`GET ${any}/:notification_id/people`]: get(`${any}/${finishedId}/people`),
    'GET /api/admin/users/:user_id/notifications': get(`/api/admin/users/${owner.userId}/notifications`),
    'GET /api/admin/process-receipts': get('/api/admin/process-receipts', 202),
    'POST /api/admin/process-receipts': post('/api/admin/process-receipts', 202, { limit: 5 }),
    'GET /api/admin/push-status/removed-devices': get('/api/admin/push-status/removed-devices?limit=5'),
    'POST /api/admin/push-status/removed-devices/restore': post('/api/admin/push-status/removed-devices/restore', 200, {
      start_date: '2026-01-01',
      end_date: '2026-01-31',
    }),
    'POST /api/admin/roll-outs': post('/api/admin/roll-outs', 404, { provider: 'apns/swapbell/other', share: 0 }),
    'POST /api/admin/push-status/halt': post('/api/admin/push-status/halt', 200, { reason: 'A wrong text' }),
    'POST /api/admin/push-status/resume': post('/api/admin/push-status/resume', 200),
    'GET /api/admin/v1/report/user/:id': get(`/api/admin/v1/report/user/${owner.userId}`),
    'POST /api/admin/v1/users-export': post('/api/admin/v1/users-export', 202),
    'GET /api/admin/v1/users-export/:id': get(`/api/admin/v1/users-export/${exportId}`),
    'POST /api/admin/v1/users-export/:id/cancel': post(`/api/admin/v1/users-export/${exportId}/cancel`, 200),
    'GET /api/admin/v1/users-export/:id/file': get(`/api/admin/v1/users-export/${exportId}/file?link=none`, 404),
    'GET /api/admin/v1/insight/:metric/rows': get(
      '/api/admin/v1/insight/daily-active-users/rows?key=value&start_date=2026-01-01&end_date=2026-01-31',
    ),
    'GET /api/admin/v1/insight-breakdown': get('/api/admin/v1/insight-breakdown?measure=swaps_requested&by=city'),
    'GET /api/admin/v1/audit-log/record': get(
      `/api/admin/v1/audit-log/record?entity=export&entity_id=${exportId}&at=2026-01-01T00:00:00.000Z`,
    ),
    ...createProductCalls(products),
    ...createUserCalls(users),
    ...createPeopleCalls(people),
    ...createSwapCalls(swaps),
    ...createMarketCalls(market),
    'PATCH /api/v1/account': { method: 'PATCH', url: '/api/v1/account', payload: { city: 'Ghent' }, status: 200 },
    'GET /docs/static/index.html': get('/docs/static/index.html', 302),
    'GET /docs/static/*': get('/docs/static/swagger-ui.css'),
    'HEAD /docs/static/*': { method: 'HEAD', url: '/docs/static/swagger-ui.css', status: 200 },
    'GET /api/v1/logout': get('/api/v1/logout'),
    'DELETE /api/admin/v1/session': { method: 'DELETE', url: '/api/admin/v1/session', status: 200 },
    'GET /api/admin/v1/logout': get('/api/admin/v1/logout'),
  }
}

function get(url: string, status = 200): Call {
  return { method: 'GET', url, status }
}

function post(url: string, status: number, payload?: Record<string, unknown>): Call {
  return { method: 'POST', url, status, ...(payload && { payload }) }
}
