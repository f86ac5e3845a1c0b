import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Activity } from '../../identity/activity/activity.ts'
import type { Permission } from '../../identity/permissions/permissions.ts'
import type { Role } from '../tables/tables.ts'
import type { Principal, Sessions } from '../../identity/sessions/sessions.ts'
import type { Config } from '../config/config.ts'
import { errors } from '../shared/errors.ts'
import { cookieTokenOf } from './session-cookie.ts'
import type { RateLimits } from '../limits/rate-limit.ts'

type AccessDeps = {
  config: Config
  sessions: Sessions
  rateLimits: RateLimits
  activity: Activity
  can: (role: Role, permission: Permission) => boolean
}

/** Rights are those of the account in the database, never the token's claims (decision A10). Active days: C13. */
export function installAccess(app: FastifyInstance, { config, sessions, rateLimits, activity, can }: AccessDeps): void {
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access
    if (request.is404 || access === undefined || access === 'public') return
    try {
      request.principal = await sessions.authenticate(bearerOf(request) ?? cookieTokenOf(config, request))
      if (access !== 'user' && !can(request.principal.role, access)) throw refusalOf(request.principal)
      if (!request.routeOptions.url?.startsWith('/api/admin/')) activity.touch(request.principal.userId)
    } catch (error) {
      await rateLimits.hitFrom('anonymous', request.ip)
      throw error
    }
  })
  app.addHook('onSend', async (request, reply) => {
    const access = request.routeOptions.config.access
    if (access !== undefined && access !== 'public') void reply.header('Cache-Control', 'no-store')
  })
}

function refusalOf({ role, accountRole, lacksFactor }: Principal) {
  if (lacksFactor) return errors.secondFactorRequired()
  return role === accountRole ? errors.forbidden() : errors.rightsEnded()
}

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw errors.unauthenticated()
  return request.principal
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
}
