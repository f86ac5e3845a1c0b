import { Readable } from 'node:stream'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { errors } from '../shared/errors.ts'
import { hasEffect } from './parameters.ts'
import type { RouteTable } from './routes.ts'

// The documentation page is a plugin of others, whose routes cannot declare it.
const DOCS = /^\/docs(?:\/|$)/

/** The service does not start with a route that has no `access`, or no `operationId` of its own. */
export function watchRoutes(app: FastifyInstance): RouteTable {
  const routes: RouteTable = []
  const operations = new Set<string>()
  app.addHook('onRoute', (route) => {
    if (DOCS.test(route.url)) route.config = { ...route.config, access: 'public' }
    if (route.method === 'HEAD') return
    const access = route.config?.access
    if (access === undefined) throw new Error(`${String(route.method)} ${route.url} does not declare its access.`)
    if (!DOCS.test(route.url)) nameOperation(operations, route)
    for (const method of [route.method].flat())
      routes.push({
        method,
        url: route.url,
        access,
        limits: route.config?.limits ?? [],
        pattern: toPattern(route.url),
        approval: route.config?.approval,
        hasHead: method === 'GET' && !alwaysHasEffect(route),
      })
  })
  // It runs before access and limits of the GET.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'HEAD' || request.is404 || !hasEffect(request)) return done()
    const others = routes.map((route) => ({ ...route, hasHead: false }))
    throw errors.methodNotAllowed(methodsAt(others, request.url) ?? 'GET')
  })
  app.addHook('onSend', ({ method }, { raw }, payload, done) => {
    // Nobody reads it, and a stream of events would never end. Before the answer has ended this would cut it.
    if (method === 'HEAD' && payload instanceof Readable) raw.once('finish', () => payload.destroy())
    done(null, payload)
  })
  return routes
}

/** The methods of an address, for `Allow`; undefined where there is none. */
export function methodsAt(routes: RouteTable, url: string): string | undefined {
  const [path = url] = url.split('?', 1)
  const found = routes.filter(({ pattern }) => pattern.test(path))
  const methods = found.flatMap(({ method, hasHead }) => (hasHead ? [method, 'HEAD'] : [method]))
  return methods.length > 0 ? [...new Set(methods)].join(', ') : undefined
}

function alwaysHasEffect({ config: { effect, effectWith } = {} }: RouteOptions): boolean {
  return (effect === 'write' || effect === 'export') && effectWith === undefined
}

function nameOperation(operations: Set<string>, { method, url, schema }: RouteOptions): void {
  const name = schema?.operationId
  if (name === undefined || !/^[a-z][A-Za-z]{2,39}$/.test(name))
    throw new Error(`${String(method)} ${url} needs an operationId, such as listUsers.`)
  if (operations.has(name)) throw new Error(`${String(method)} ${url} has the operationId of another route: ${name}.`)
  operations.add(name)
}

function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part === '*') return '.*'
      return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('/')
  return new RegExp(`^${source}$`)
}
