import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify'
import { Type, type Static, type TSchema } from 'typebox'
import type { LimitName } from '../config/request-limits.ts'
import type { Db } from '../db/connect.ts'
import type { Permission, Principal } from '../rights/permissions.ts'
import type { ApprovalKind } from '../tables/office-tables.ts'
import type { Span } from '../tracing/tracing.ts'
import type { Ground, Work } from '../work/work.ts'
import { Id } from './envelope.ts'
import { write, type Answer } from './write.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export type Access = 'public' | 'user' | Permission

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Limits beside the one that the access implies (decision A11). */
    limits?: LimitName[]
    /** A POST that does not accept an Idempotency-Key, with the reason. */
    notIdempotent?: string
    /** `bodyText` then holds the body as it came, because a signature is over it. */
    keepsBodyText?: true
    /** What a second administrator must approve, where approvals of it are on: it changes an administrator, or sends to
     * many (ADR 12). */
    approval?: ApprovalKind
    /** A route that writes without `write`, with the reason. */
    ownTransactions?: string
  }
  interface FastifyRequest {
    principal: Principal | null
    /** The same where the route is not public. */
    readonly caller: Principal
    bodyText: string | null
    span: Span | null
  }
}

/** `hasHead`: its GET answers HEAD too, unless it writes or exports (decision A8). */
type Route = {
  method: string
  url: string
  access: Access
  limits: LimitName[]
  pattern: RegExp
  approval: ApprovalKind | undefined
  hasHead: boolean
}
export type RouteTable = Route[]

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Schema = TSchema | undefined

type IdsIn<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, number> & IdsIn<Rest>
  : Url extends `${string}:${infer Name}`
    ? Record<Name, number>
    : unknown

type Read<Given extends Schema, Otherwise = unknown> = Given extends TSchema ? Static<Given> : Otherwise
type Output<Answers> = Answers[keyof Answers] extends infer Given extends TSchema ? Static<Given> : never
type Data<One> = One extends { data: infer Given } ? Given : never

type Input<Url extends string, Params extends Schema, Query extends Schema, Body extends Schema> = FastifyRequest<{
  Params: Read<Params, IdsIn<Url>>
  Querystring: Read<Query>
  Body: Read<Body>
}>

type Declaration<
  Url extends string,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Answers,
> = FastifyContextConfig & {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  /** Absent: the parameters of the address are ids. */
  params?: Params
  headers?: TSchema
  querystring?: Query
  body?: Body
  response: Answers
  preValidation?: (request: Input<Url, Params, Query, Body>) => Promise<void>
}

/** A route that reads, or that does something before it calls `write`. */
export function registerRoute<
  Url extends string,
  Answers extends Record<number, TSchema>,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(
  app: App,
  address: `${Method} ${Url}`,
  route: Declaration<Url, Params, Query, Body, Answers> & {
    handler: (
      request: Input<Url, Params, Query, Body>,
      reply: FastifyReply,
    ) => Output<Answers> | FastifyReply | Promise<Output<Answers> | FastifyReply>
  },
): void {
  const { handler, preValidation, ...declared } = route
  const [method, url] = address.split(' ') as [HTTPMethods, string]
  const given = Object.entries({ params: toIds(url), ...declared }).filter(([, value]) => value !== undefined)
  app.route({
    method,
    url,
    config: Object.fromEntries(given.filter(([name]) => !OF_SCHEMA.has(name))),
    schema: Object.fromEntries(given.filter(([name]) => OF_SCHEMA.has(name))),
    ...(preValidation && { preValidation: preValidation as NonNullable<RouteOptions['preValidation']> }),
    handler: handler as RouteOptions['handler'],
  })
}

/**
 * A route that writes: `rule` gives a record, and the answer is its `view`, with the status of `response`. `prepare`
 * runs before the transaction: it reads, hashes and refuses. What outlives a rollback, such as a limit, is `around` it.
 */
export function registerChange<
  Url extends string,
  Answers extends Record<number, TSchema>,
  Result,
  Prepared = undefined,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(
  app: App,
  deps: Ground & { db: Db },
  address: `${Method} ${Url}`,
  route: Declaration<Url, Params, Query, Body, Answers> &
    Answer<Result, Data<Output<Answers>>> & {
      prepare?: (request: Input<Url, Params, Query, Body>) => Prepared | Promise<Prepared>
      around?: Around<Input<Url, Params, Query, Body>, Prepared>
      rule: (work: Work, request: Input<Url, Params, Query, Body>, prepared: Prepared) => Promise<Result>
    },
): void {
  const {
    rule,
    prepare,
    around,
    view,
    message,
    current,
    status = findSuccessStatus(route.response),
    ...declared
  } = route
  const answer = { status, message, view, ...(current && { current }) } as Answer<Result, unknown>
  const handler = async (given: FastifyRequest, reply: FastifyReply) => {
    const request = given as Input<Url, Params, Query, Body>
    const prepared = (await prepare?.(request)) as Prepared
    const change = () => write(deps, { request: given, reply }, answer, (work) => rule(work, request, prepared))
    return around ? around(change, request, prepared) : change()
  }
  registerRoute(app, address, { ...declared, handler } as Parameters<typeof registerRoute>[2])
}

type Around<Request, Prepared> = <T>(change: () => Promise<T>, request: Request, prepared: Prepared) => Promise<T>

const OF_SCHEMA = new Set([
  'operationId',
  'summary',
  'description',
  'tags',
  'params',
  'headers',
  'querystring',
  'body',
  'response',
])

function toIds(url: string): TSchema | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Id])
  return names.length === 0 ? undefined : Type.Object(Object.fromEntries(names) as { [name: string]: typeof Id })
}

function findSuccessStatus(answers: object): number {
  return Number(Object.keys(answers).find((status) => status.startsWith('2')))
}
