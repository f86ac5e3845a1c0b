import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, Id, Success } from '../../platform/http/envelope.ts'
import { chargesFrom, type Charge } from '../../platform/limits/rate-limit.ts'
import { type App, registerChange } from '../../platform/http/routes.ts'
import { deepLink, ownSchemes } from '../../platform/events/deep-links.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { can, type Principal } from '../../platform/rights/permissions.ts'
import { sendOrRefuse, type StaffSend } from '../messages/staff-send.ts'
import { checkContent } from '../messages/content.ts'
import { send, type Send } from '../messages/send.ts'
import { summariseUsers } from '../records/audience.queries.ts'
import { refuseWebAddresses, titleFrom } from './group-join-words.ts'
import { accepted, Link, Started, StartedTest, Text, Title, toStartedTest } from './sending.views.ts'

const TEST_ONCE_IN_MS = 10_000
const NEW_FOR_MS = 24 * 3_600_000
const TEST = '/api/send-test-notification'
const TestContent = Type.Object({
  user_id: Id,
  title: Title,
  text: Text,
  link: Type.Optional(
    Type.String({ ...Link, description: 'The screen that a tap opens; default the list of notifications.' }),
  ),
})
const TEST_ACCEPTED = { status: 202, message: 'Test notification accepted', view: toStartedTest } as const
const JoinRequest = Body({ admin_user_id: Id, title: Title, text: Text, link: Link })

/** Each to one user (decision B23). */
export function registerPersonalSendRoutes(app: App, deps: PushDeps): void {
  registerChange(app, deps, `GET ${TEST}`, {
    access: 'user',
    effect: 'write',
    approval: 'send',
    operationId: 'sendTest',
    summary: 'Send a test notification to yourself; administrators: to anyone',
    querystring: TestContent,
    response: answers(202, Success(StartedTest), 403),
    ...TEST_ACCEPTED,
    prepare: (request) => toTestSend(deps, request, request.query),
    around: (change, _, { charges }) => deps.rateLimits.spend(charges, change),
    rule: (work, _, test) => sendTest(work, test, TEST_ONCE_IN_MS),
  })

  registerChange(app, deps, `POST ${TEST}`, {
    access: 'user',
    approval: 'send',
    operationId: 'startTest',
    summary: 'Send a test notification; each call sends, also when an equal one was just sent',
    body: Body(TestContent.properties),
    response: answers(202, Success(StartedTest), 403),
    ...TEST_ACCEPTED,
    prepare: (request) => toTestSend(deps, request, request.body),
    around: (change, _, { charges }) => deps.rateLimits.spend(charges, change),
    rule: (work, _, test) => sendTest(work, test),
  })

  registerChange(app, deps, 'POST /api/send-group-join-notification', {
    access: 'user',
    tags: ['Sending'],
    operationId: 'askToJoinGroup',
    summary: 'Ask an administrator of a group to let you join; the push contains your name',
    body: JoinRequest,
    response: answers(202, Success(Started)),
    ...accepted('Group join notification accepted'),
    prepare: ({ caller, body }) => toJoinRequestSend(deps, caller, body),
    around: (change, request) => deps.rateLimits.spend(listCharges(deps, request, request.body.admin_user_id), change),
    rule: (work, _, joining) => send(work, joining),
  })
}

function toTestSend(
  deps: PushDeps,
  request: FastifyRequest,
  { user_id, title, text, link = deepLink(deps.config, { screen: 'notifications' }) }: Static<typeof TestContent>,
) {
  const { userId, role } = request.caller
  const isAdmin = can(role, 'campaigns')
  if (user_id !== userId && !isAdmin) throw errors.forbidden({ entity: 'user', entityId: user_id })
  const content = { title, text, data: { link } }
  checkContent(deps, content, 'transactional', { fields: { link: 'link' } })
  const test = {
    audience: { kind: 'users', userIds: [user_id] },
    content,
    lane: 'transactional',
    origin: 'test',
    senderId: userId,
  } satisfies StaffSend
  const charges: Charge[] = isAdmin ? [{ name: 'test-send', subject: String(userId) }] : []
  return { test, isAdmin, charges }
}

async function sendTest(work: Work, { test, isAdmin }: ReturnType<typeof toTestSend>, onceInMs?: number) {
  const sent = await (isAdmin ? sendOrRefuse : send)(work, { ...test, ...(onceInMs && { onceInMs }) })
  return { ...sent, summary: await summariseUsers(work.tx, test.audience.userIds, work.now()) }
}

/** A receiver who is missing, barred or blocks is one like any other; such a push ends just before it is sent. */
function toJoinRequestSend(deps: PushDeps, { userId, name }: Principal, body: Static<typeof JoinRequest>): Send {
  const { admin_user_id, title, text, link } = body
  refuseWebAddresses({ title, text })
  const content = {
    title: titleFrom({ userId, name }, title),
    text,
    data: { event: 'group_join_request', sender_id: userId, link },
  }
  const schemes = ownSchemes(deps.config.LINK_SCHEMES)
  checkContent(deps, content, 'transactional', { fields: { link: 'link' }, schemes })
  return {
    audience: { kind: 'users', userIds: [admin_user_id] },
    content,
    lane: 'transactional',
    origin: 'group_join',
    event: 'group_join_request',
    about: { kind: 'people', between: [userId, admin_user_id] },
    senderId: userId,
  }
}

function listCharges({ clock }: PushDeps, { ip, caller }: FastifyRequest, toUserId: number): Charge[] {
  const { userId, createdAt } = caller
  const isNew = clock.now() - createdAt.getTime() < NEW_FOR_MS
  return [
    { name: 'group-join', subject: String(userId) },
    ...(isNew ? [{ name: 'group-join-new', subject: String(userId) } as const] : []),
    { name: 'group-join-pair', subject: `${userId}:${toUserId}` },
    { name: 'group-join-recipient', subject: String(toUserId) },
    ...chargesFrom('group-join-ip', ip),
  ]
}
