import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { installHostCheck } from './host.ts'
import { forwardedAddresses } from '../shared/networks.ts'
import { errors } from '../shared/errors.ts'

/** What every request is checked for before its route, and the headers of every answer. */
export async function installHeaders(app: FastifyInstance, { config }: Deps): Promise<void> {
  // Before anything asks for the address of the caller.
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined) headers['x-forwarded-for'] = forwardedAddresses([forwarded].flat().join(', '))
  })
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  installHostCheck(app, config)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.NODE_ENV === 'production',
  })
  await app.register(cors, {
    origin: config.CORS_ORIGINS.length > 0 ? config.CORS_ORIGINS : false,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // What a page may send without being asked for each, and what it may read of an answer.
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: [
      'Allow',
      'Content-Disposition',
      'Content-Length',
      'ETag',
      'Retry-After',
      'X-Request-Id',
      'X-Total-Rows',
    ],
    maxAge: 600,
  })
  await app.register(underPressure, {
    // A machine that runs tests is busy with them: 0 is no limit.
    maxEventLoopDelay: config.NODE_ENV === 'test' ? 0 : 2_000,
    retryAfter: 5,
    pressureHandler: () => {
      throw errors.unavailable()
    },
  })
}
