import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { errors, type AppError } from '../shared/errors.ts'
import { createFaults } from './faults.ts'

/** It decides about unknown query parameters (decision A5). A `report` reads, and with `format=csv` it exports. */
export type Effect = 'read' | 'write' | 'export' | 'report'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: a GET reads, any other method writes. */
    effect?: Effect
    /** A GET that has its effect only with this parameter. */
    effectWith?: string
    parameters?: string[]
  }
  interface FastifyRequest {
    ignoredParameters: string[] | null
  }
}

export const UNKNOWN_PARAMETERS: Record<Effect, string> = {
  read: 'ignored',
  write: 'refused',
  export: 'refused',
  report: 'ignored; refused with format=csv',
}

const PAGING = ['page', 'per_page']
const OF_FILES = ['bom']

/** Decision A5. Must run before the routes are registered. */
export function installParameters(app: FastifyInstance): void {
  app.decorateRequest('ignoredParameters', null)
  app.addHook('onRoute', (route) => {
    const reads = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD')
    const effect = route.config?.effect ?? (reads ? 'read' : 'write')
    const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: Record<string, unknown> }
    route.config = { ...route.config, effect, parameters: Object.keys(properties) }
    if (effect === 'read' || effect === 'report') nameIgnoredIn(route)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const given = Object.entries(request.query as Record<string, unknown>)
    if (given.length === 0 || request.is404) return done()
    const query = withoutEmpty(given)
    request.query = query
    const unknown = unknownIn(request, query)
    if (unknown.length > 0 && refusesUnknown(request, query)) throw toRefusal(unknown, 'is not a known parameter')
    if (unknown.length > 0) request.ignoredParameters = unknown
    done()
  })
  // The framework looks at a body only where the route has a schema for one (decision A6).
  app.addHook('preValidation', async ({ body, is404, routeOptions }) => {
    if (is404 || routeOptions.schema?.body !== undefined || body === undefined || body === null) return
    if (typeof body !== 'object' || Array.isArray(body)) throw toRefusal(['body'], 'is not taken by this call')
    const fields = Object.keys(body)
    if (fields.length > 0) throw toRefusal(fields, 'is not a known field')
  })
  app.addHook('preSerialization', async ({ ignoredParameters }, _reply, payload: unknown) =>
    ignoredParameters !== null && isSuccess(payload) ? { ...payload, ignored_parameters: ignoredParameters } : payload,
  )
}

function withoutEmpty(given: [string, unknown][]): Record<string, unknown> {
  // It has no prototype, because a parameter may be called `__proto__`.
  const query = Object.create(null) as Record<string, unknown>
  for (const [name, value] of given) {
    // A repeated parameter is a list, which the schemas refuse.
    const values = [value].flat().filter((one) => one !== '')
    if (values.length > 0) query[name] = values.length === 1 ? values[0] : values
  }
  return query
}

function unknownIn({ routeOptions }: FastifyRequest, query: Record<string, unknown>): string[] {
  const { effect, parameters = [] } = routeOptions.config
  const elsewhere = query['format'] === 'csv' ? PAGING : OF_FILES
  const known = new Set(effect === 'report' ? parameters.filter((name) => !elsewhere.includes(name)) : parameters)
  return Object.keys(query).filter((name) => !known.has(name))
}

function toRefusal(unknown: string[], sentence: string): AppError {
  const faults = createFaults()
  for (const name of unknown) faults.add([name], sentence)
  const { fields, hasMore } = faults.found()
  return errors.validation(fields, { hasMore })
}

function refusesUnknown({ routeOptions }: FastifyRequest, query: Record<string, unknown>): boolean {
  const { effect } = routeOptions.config
  return effect === 'write' || effect === 'export' || (effect === 'report' && query['format'] === 'csv')
}

export function hasEffect(request: FastifyRequest): boolean {
  const { effectWith } = request.routeOptions.config
  const query = withoutEmpty(Object.entries(request.query as Record<string, unknown>))
  return effectWith === undefined ? refusesUnknown(request, query) : effectWith in query
}

function isSuccess(payload: unknown): payload is object {
  return typeof payload === 'object' && payload !== null && 'success' in payload && 'data' in payload
}

type JsonSchema = {
  type?: string
  properties?: Record<string, unknown>
  content?: Record<string, { schema: JsonSchema }>
}

const Ignored = {
  type: 'array',
  items: { type: 'string' },
  description: 'Query parameters that this call does not know; absent if there are none.',
}

function nameIgnoredIn(route: RouteOptions): void {
  const answers = (route.schema?.response ?? {}) as Record<string, JsonSchema>
  const response = Object.entries(answers).map(([status, schema]) => [
    status,
    status.startsWith('2') ? withIgnored(schema) : schema,
  ])
  if (route.schema) route.schema = { ...route.schema, response: Object.fromEntries(response) as object }
}

function withIgnored(schema: JsonSchema): JsonSchema {
  const json = schema.content?.['application/json']
  if (json)
    return {
      ...schema,
      content: { ...schema.content, 'application/json': { ...json, schema: withIgnored(json.schema) } },
    }
  if (schema.properties?.['success'] === undefined || schema.properties['data'] === undefined) return schema
  return { ...schema, properties: { ...schema.properties, ignored_parameters: Ignored } }
}
