import { randomUUID } from 'node:crypto'
import { THE_SERVICE } from '../../src/platform/audit/audit.ts'
import { reportUser } from '../../src/marketplace/reports/reports.ts'
import type { Call } from './calls.ts'
import { createCatalogueCalls, givenCatalogueWorld, type CatalogueWorld } from './catalogue-calls.ts'
import { commitWorkBy } from './commit.ts'
import type { GivenUser } from './given.ts'
import { givenGroupWorld, createGroupCalls, type GroupWorld } from './group-calls.ts'
import type { Service } from './service.ts'

/** People whom the calls of the app are about. */
export type PeopleWorld = {
  catalogue: CatalogueWorld
  strangerId: number
  deviceId: number
  groups: GroupWorld
  userReportIds: [number, number]
  /** The owner has this session. */
  sessionId: string
}

export async function givenPeopleWorld(service: Service, owner: GivenUser): Promise<PeopleWorld> {
  const { userId } = await service.given.user()
  const [device] = owner.devices
  return {
    catalogue: await givenCatalogueWorld(service),
    strangerId: userId,
    deviceId: device!.id,
    groups: await givenGroupWorld(service, owner),
    userReportIds: await givenUserReports(service, userId),
    sessionId: await givenSession(service, owner),
  }
}

async function givenSession({ deps }: Service, { userId }: GivenUser): Promise<string> {
  await deps.sessions.open({ userId })
  const { session_id: id } = await deps.db
    .selectFrom('sessions')
    .select('session_id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

async function givenUserReports({ deps, given }: Service, userId: number): Promise<[number, number]> {
  const report = async () => {
    const reporter = await given.user()
    const by = { ...THE_SERVICE, userId: reporter.userId }
    const input = { subjectId: userId, reason: 'spam', details: null } as const
    return (await commitWorkBy(by, deps, reportUser, input)).report_id
  }
  return [await report(), await report()]
}

/** The calls of people among one another. */
export function createPeopleCalls({
  catalogue,
  strangerId,
  deviceId,
  groups,
  userReportIds,
  sessionId,
}: PeopleWorld): Record<string, Call> {
  const reports = '/api/admin/v1/report/reported-users'
  const block = `/api/v1/users/${strangerId}/block`
  return {
    // The service of these calls sends no mail.
    'POST /api/v1/password/forgot': {
      method: 'POST',
      url: '/api/v1/password/forgot',
      payload: { email: 'somebody@example.com' },
      status: 503,
    },
    'POST /api/v1/password/reset': {
      method: 'POST',
      url: '/api/v1/password/reset',
      payload: { token: 'A'.repeat(43), password: randomUUID() },
      status: 422,
    },
    'POST /api/v1/account/confirm-email': { method: 'POST', url: '/api/v1/account/confirm-email', status: 503 },
    'POST /api/v1/email/confirm': {
      method: 'POST',
      url: '/api/v1/email/confirm',
      payload: { token: 'A'.repeat(43) },
      status: 422,
    },
    'DELETE /api/v1/account/sessions/:session_id': {
      method: 'DELETE',
      url: `/api/v1/account/sessions/${sessionId}`,
      status: 200,
    },
    'DELETE /api/v1/account/sessions': { method: 'DELETE', url: '/api/v1/account/sessions', status: 200 },
    // The accounts of these calls have no password.
    'POST /api/v1/account/delete': {
      method: 'POST',
      url: '/api/v1/account/delete',
      payload: { current_password: randomUUID() },
      status: 422,
    },
    'POST /api/v1/account/restore': {
      method: 'POST',
      url: '/api/v1/account/restore',
      payload: { email: 'nobody@example.com', password: randomUUID() },
      status: 401,
    },
    'POST /api/v1/account/export': {
      method: 'POST',
      url: '/api/v1/account/export',
      payload: { current_password: randomUUID() },
      status: 422,
    },
    'PATCH /api/v1/me': { method: 'PATCH', url: '/api/v1/me', payload: { language: 'de-AT' }, status: 200 },
    'POST /api/v1/inbox/seen': { method: 'POST', url: '/api/v1/inbox/seen', status: 200 },
    'DELETE /api/v1/devices/:id': { method: 'DELETE', url: `/api/v1/devices/${deviceId}`, status: 200 },
    ...createGroupCalls(groups),
    ...createCatalogueCalls(catalogue),
    'POST /api/v1/users/:id/report': {
      method: 'POST',
      url: `/api/v1/users/${strangerId}/report`,
      payload: { reason: 'spam' },
      status: 201,
    },
    [`POST ${reports}/:report_id/assign`]: {
      method: 'POST',
      url: `${reports}/${userReportIds[0]}/assign`,
      status: 200,
    },
    [`POST ${reports}/:report_id/resolve`]: {
      method: 'POST',
      url: `${reports}/${userReportIds[1]}/resolve`,
      payload: { action: 'other', note: 'Talked to the person.' },
      status: 200,
    },
    // Without a secret there is no such address.
    'POST /api/v1/webhooks/subscriptions/:provider': {
      method: 'POST',
      url: '/api/v1/webhooks/subscriptions/stripe',
      status: 404,
    },
    'POST /api/v1/users/:id/block': { method: 'POST', url: block, status: 200 },
    'DELETE /api/v1/users/:id/block': { method: 'DELETE', url: block, status: 200 },
  }
}
