import type { FastifyInstance } from 'fastify'
import type { Quota } from '../shared/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The limits that this request was counted by, in the order in which they apply; null when by none. */
    quotas: Quota[] | null
  }
}

/**
 * Says in `RateLimit-Policy` and `RateLimit` by which limits a request was counted and what is left of them
 * (draft-ietf-httpapi-ratelimit-headers-11): `"user";q=120;w=60` and `"user";r=119;t=42`.
 */
export function installQuotaHeaders(app: FastifyInstance): void {
  app.decorateRequest('quotas', null)
  app.addHook('onSend', async ({ quotas }, reply) => {
    if (quotas === null) return
    const policies = quotas.map(({ name, calls, seconds }) => `"${name}";q=${calls};w=${seconds}`)
    const standings = quotas.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
    void reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', standings.join(', '))
  })
}
