import type { RouteOptions } from 'fastify'

/** The statuses of the refusals that follow from who may call a route, from its method and from its input. */
export function listRefusals(route: RouteOptions): number[] {
  const {
    method,
    url,
    config: { access, effect } = {},
    schema: { body, querystring, headers, response = {} } = {},
  } = route
  const hasParameters = url.includes(':') || querystring !== undefined || headers !== undefined
  const refusesUnknown = effect === 'write' || effect === 'export'
  const refusals = [
    ...(access === 'public' ? [] : [401]),
    ...(access === 'public' || access === 'user' ? [] : [403]),
    ...(isRepeatable(route) ? [409] : []),
    ...(body === undefined ? [] : [400, 413, 415]),
    ...(body !== undefined || hasParameters || refusesUnknown ? [422] : []),
    429,
    500,
    503,
  ]
  const declared = refusals.filter((status) => status in (response as object))
  if (declared.length > 0)
    throw new Error(`${String(method)} ${url} declares ${declared.join()}, which follows from its access or its input.`)
  return refusals
}

export function isRepeatable({ method, config = {} }: RouteOptions): boolean {
  return method === 'POST' && config.notIdempotent === undefined
}
