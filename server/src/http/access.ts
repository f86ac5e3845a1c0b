import type { FastifyInstance, FastifyRequest } from 'fastify'
import { can } from '../features/auth/permissions.ts'
import type { Principal, Sessions } from '../features/auth/sessions.ts'
import { errors } from '../shared/errors.ts'

/**
 * Asks every request who it is and whether it may: 401 without a valid session, 403 without the right. The rights are
 * those of the account in the database, never the token's claims (decision A10).
 */
export function installAccess(app: FastifyInstance, sessions: Sessions): void {
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access
    if (request.is404 || access === undefined || access === 'public') return
    const principal = await sessions.authenticate(bearerOf(request))
    request.principal = principal
    if (access !== 'user' && !can(principal.role, access)) throw errors.forbidden()
  })
  app.addHook('onSend', async (request, reply) => {
    const access = request.routeOptions.config.access
    if (access !== undefined && access !== 'public') void reply.header('Cache-Control', 'no-store')
  })
}

/** The account behind a request of a route that is not public. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw errors.unauthenticated()
  return request.principal
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
}
