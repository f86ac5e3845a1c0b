import { describe, expect } from 'vitest'
import { test } from './support/app.ts'

/** The endpoints of the specification that are there so far, in its order. */
const SPECIFIED = [
  'GET /api/health',
  'POST /api/v1/register',
  'POST /api/admin/v1/login',
  'GET /api/admin/v1/logout',
  'GET /api/admin/v1/check-token',
  'GET /api/admin/v1/users',
  'GET /api/admin/v1/users-export',
  'GET /api/admin/v1/user-profile',
  'POST /api/admin/v1/admin/create-user',
  'PATCH /api/admin/v1/user-update',
  'DELETE /api/admin/v1/user/:id',
  'GET /api/admin/v1/products',
  'GET /api/admin/v1/products/:id',
  'PATCH /api/admin/v1/product-update',
  'DELETE /api/admin/v1/product/:id',
  'GET /api/admin/v1/add-product-verification',
  'POST /api/admin/v1/mark-product-verified/:id',
  'GET /api/admin/v1/report/reported-product/all',
  'GET /api/admin/v1/report/transaction',
  'GET /api/admin/v1/report/user/:id',
  'GET /api/admin/v1/report/subscription',
  'GET /api/admin/v1/insight/active-inactive-accounts',
  'GET /api/admin/v1/insight/daily-active-users',
  'GET /api/admin/v1/insight/total-swap-requests-sent',
  'GET /api/admin/v1/insight/total-successful-swaps',
  'GET /api/admin/v1/insight/engagement-overview',
  'POST /api/user/save-phone-token',
  'GET /api/send-test-notification',
  'POST /api/admin/send-notification-all',
  'POST /api/admin/send-notification-sandbox',
  'POST /api/send-group-join-notification',
  'GET /api/notification',
  'GET /api/notification/:notification_id/read',
  'GET /api/admin/promotional-notifications',
  'GET /api/admin/promotional-notifications/:notification_id',
  'GET /api/admin/process-receipts',
]

/** What the decisions add (B17, B24), and what a service needs to be run. */
const EXTENSIONS = [
  'GET /api/ready',
  'POST /api/v1/login',
  'POST /api/admin/v1/session',
  'DELETE /api/admin/v1/session',
  'GET /api/v1/logout',
  'GET /api/v1/account',
  'PATCH /api/v1/account',
  'DELETE /api/user/phone-token',
  'GET /api/user/settings',
  'PUT /api/user/settings',
  'POST /api/notification/:notification_id/events',
  'POST /api/admin/send-notification',
  'POST /api/admin/send-notification-all/preview',
  'POST /api/admin/promotional-notifications/:notification_id/pause',
  'POST /api/admin/promotional-notifications/:notification_id/resume',
  'POST /api/admin/promotional-notifications/:notification_id/stop',
  'GET /api/admin/promotional-notifications/:notification_id/progress',
  'POST /api/admin/promotional-notifications/:notification_id/progress-link',
  'GET /api/admin/notifications/:notification_id',
  'POST /api/admin/notifications/:notification_id/pause',
  'POST /api/admin/notifications/:notification_id/resume',
  'POST /api/admin/notifications/:notification_id/stop',
  'GET /api/admin/notifications/:notification_id/progress',
  'POST /api/admin/notifications/:notification_id/progress-link',
  'GET /api/admin/notifications/:notification_id/progress-stream',
  'GET /api/admin/users/:user_id/notifications',
  'GET /api/admin/push-status',
  'POST /api/admin/push-status/resume',
  'POST /api/admin/v1/reject-product/:id',
  'POST /api/admin/v1/request-product-changes/:id',
  'GET /api/admin/v1/report/reported-product/:product_id',
  'POST /api/admin/v1/report/reported-product/:report_id/assign',
  'POST /api/admin/v1/report/reported-product/:report_id/resolve',
  'POST /api/admin/v1/report/reported-product/:report_id/dismiss',
  'POST /api/admin/v1/user/:id/restore',
  'POST /api/admin/v1/users-export',
  'GET /api/admin/v1/users-export/:id',
  'GET /api/admin/v1/users-export/:id/file',
  'GET /api/admin/v1/insight/:metric/rows',
  'GET /api/admin/v1/audit-log',
  'GET /api/openapi.json',
]

/** The page that renders the API's description, with its assets. */
const DOCUMENTATION = [
  'GET /docs',
  'GET /docs/json',
  'GET /docs/yaml',
  'GET /docs/static/index.html',
  'GET /docs/static/swagger-initializer.js',
  'GET /docs/static/*',
  'HEAD /docs/static/*',
]

describe('the endpoints of the service', () => {
  test('are those of the specification and of the decisions: none is missing, none is undeclared', ({ service }) => {
    const declared = [...SPECIFIED, ...EXTENSIONS, ...DOCUMENTATION]
    const served = service.routes.map(({ method, url }) => `${method} ${url}`)
    expect(served.toSorted()).toEqual(declared.toSorted())
  })

  test.for([...SPECIFIED, ...EXTENSIONS])('answer at %s', async (endpoint, { app }) => {
    const [method, url] = endpoint.split(' ') as ['GET', string]
    const answer = await app.inject({ method, url: url.replaceAll(/:\w+/g, '1') })
    expect(answer.statusCode).not.toBe(405)
    expect(answer.statusCode).not.toBe(404)
    expect(answer.statusCode).toBeLessThan(500)
  })
})
