import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Component, EmptyBody, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { CASES } from './cases.ts'
import { leaveAtDesk, takeAtDesk } from './desk.ts'
import { DECIDED_AT, listLeases, type Lease as LeaseRow } from './desk.queries.ts'

const DESKS = [
  { desk: 'verification', tag: 'Verification', subject: 'VerificationLease', url: '/api/admin/v1/desk/verification' },
  { desk: 'reports', tag: 'Product reports', subject: 'ReportLease', url: '/api/admin/v1/desk/reports' },
] as const

const Lease = Component('Lease', {
  product_id: Type.Integer(),
  holder: Type.Object({ id: Type.Integer(), name: Type.String() }),
  until: Timestamp,
})
const Left = Type.Object({ product_id: Type.Integer() })

export function registerDeskRoutes(app: App, deps: PushDeps): void {
  for (const { desk, tag, subject, url } of DESKS) {
    const access = CASES[DECIDED_AT[desk]].permission
    const tags = [tag]

    registerRoute(app, `GET ${url}`, {
      access,
      tags,
      operationId: `list${subject}s`,
      summary: 'Which products a moderator has taken at the moment',
      response: answers(200, Success(Type.Array(Lease))),
      handler: async () => ok((await listLeases(deps.db, desk, fromNow(deps.clock))).map(toLease), 'Leases'),
    })

    registerChange(app, deps, `POST ${url}/:product_id`, {
      access,
      tags,
      operationId: `take${subject}`,
      summary: 'Take a product for two minutes, or for two more; nobody else can decide about it meanwhile',
      body: EmptyBody,
      response: answers(200, Success(Lease), 404),
      message: 'Product taken',
      view: toLease,
      rule: (work, { params }) => takeAtDesk(work, { desk, productId: params.product_id }),
    })

    registerChange(app, deps, `DELETE ${url}/:product_id`, {
      access,
      tags,
      operationId: `end${subject}`,
      summary: 'Release a product that you have taken',
      response: answers(200, Success(Left)),
      message: 'Product released',
      view: (product_id: number) => ({ product_id }),
      rule: (work, { params }) => leaveAtDesk(work, { desk, productId: params.product_id }),
    })
  }
}

function toLease({ product_id, holder_id, holder_name, until }: LeaseRow): Static<typeof Lease> {
  return { product_id, holder: { id: holder_id, name: holder_name }, until: until.toISOString() }
}
