import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { answers, Component, EmptyBody, Id, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { leasesOf, leaveAtDesk, takeAtDesk, type DeskItem } from './desk.ts'
import type { Lease as LeaseRow } from './desk.queries.ts'

const DESKS = [
  {
    desk: 'verification',
    access: 'verification',
    tag: 'Verification',
    subject: 'VerificationLease',
    all: '/api/admin/v1/desk/verification',
    one: '/api/admin/v1/desk/verification/:product_id',
  },
  {
    desk: 'reports',
    access: 'product-reports',
    tag: 'Product reports',
    subject: 'ReportLease',
    all: '/api/admin/v1/desk/reports',
    one: '/api/admin/v1/desk/reports/:product_id',
  },
] as const

const ByProduct = Type.Object({ product_id: Id })
const Lease = Component('Lease', {
  product_id: Type.Integer(),
  holder: Type.Object({ id: Type.Integer(), name: Type.String() }),
  until: Timestamp,
})
const Left = Type.Object({ product_id: Type.Integer() })

export function registerDeskRoutes(app: App, deps: Deps): void {
  for (const { desk, access, tag, subject, all, one } of DESKS) {
    const tags = [tag]

    app.get(all, {
      config: { access },
      schema: {
        tags,
        operationId: `list${subject}s`,
        summary: 'Which products a moderator has taken at the moment',
        response: answers(200, Success(Type.Array(Lease))),
      },
      handler: async () => ok((await leasesOf(deps, desk)).map(toLease), 'Leases'),
    })

    app.post(one, {
      config: { access },
      schema: {
        tags,
        operationId: `take${subject}`,
        summary: 'Take a product for two minutes, or for two more; nobody else can decide about it meanwhile',
        params: ByProduct,
        body: EmptyBody,
        response: answers(200, Success(Lease), 404),
      },
      handler: async (request, reply) =>
        write(deps, { request, reply }, { message: 'Product taken', view: toLease }, (work) =>
          takeAtDesk(work, { desk, productId: request.params.product_id }),
        ),
    })

    app.delete(one, {
      config: { access },
      schema: {
        tags,
        operationId: `end${subject}`,
        summary: 'Release a product that you have taken',
        params: ByProduct,
        response: answers(200, Success(Left)),
      },
      handler: async (request, reply) =>
        write(deps, { request, reply }, { message: 'Product released', view: toLeft }, (work) =>
          leaveAtDesk(work, { desk, productId: request.params.product_id }),
        ),
    })
  }
}

function toLease({ product_id, holder_id, holder_name, until }: LeaseRow): Static<typeof Lease> {
  return { product_id, holder: { id: holder_id, name: holder_name }, until: until.toISOString() }
}

function toLeft({ productId }: DeskItem): Static<typeof Left> {
  return { product_id: productId }
}
