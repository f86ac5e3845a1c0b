import type { FastifyInstance } from 'fastify'
import type { Quota } from '../shared/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    quotas: Quota[] | null
  }
}

/** draft-ietf-httpapi-ratelimit-headers-11 */
export function installQuotaHeaders(app: FastifyInstance): void {
  app.decorateRequest('quotas', null)
  app.addHook('onSend', ({ quotas }, reply, payload, done) => {
    if (quotas === null) return done(null, payload)
    const policies = quotas.map(({ name, calls, seconds }) => `"${name}";q=${calls};w=${seconds}`)
    const standings = quotas.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
    void reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', standings.join(', '))
    done(null, payload)
  })
}
