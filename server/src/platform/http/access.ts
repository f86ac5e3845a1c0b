import type { FastifyInstance, FastifyRequest } from 'fastify'
import { can, type Principal } from '../rights/permissions.ts'
import type { PlatformDeps } from '../deps.ts'
import { errors } from '../shared/errors.ts'
import { readCookieToken } from './session-cookie.ts'

/** Rights are those of the account in the database, never the token's claims (decision A10). Active days: C13. */
export function installAccess(
  app: FastifyInstance,
  {
    config,
    sessions,
    rateLimits,
    activity,
  }: Pick<PlatformDeps, 'config' | 'rateLimits'> & {
    sessions: { authenticate(token: string | undefined): Promise<Principal> }
    activity: { touch(userId: number): void }
  },
): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('caller', {
    getter(this: FastifyRequest) {
      if (this.principal === null) throw errors.unauthenticated()
      return this.principal
    },
  })
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access
    if (request.is404 || access === undefined || access === 'public') return
    try {
      request.principal = await sessions.authenticate(readBearer(request) ?? readCookieToken(config, request))
      if (access !== 'user' && !can(request.principal.role, access)) throw toRefusal(request.principal)
      if (!request.routeOptions.url?.startsWith('/api/admin/')) activity.touch(request.principal.userId)
    } catch (error) {
      await rateLimits.hitFrom('anonymous', request.ip)
      throw error
    }
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const access = request.routeOptions.config.access
    if (access !== undefined && access !== 'public') void reply.header('Cache-Control', 'no-store')
    done(null, payload)
  })
}

function toRefusal({ role, accountRole, lacksFactor }: Principal) {
  if (lacksFactor) return errors.secondFactorRequired()
  return role === accountRole ? errors.forbidden() : errors.rightsEnded()
}

function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
}
