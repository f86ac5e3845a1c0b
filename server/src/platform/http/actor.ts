import type { FastifyRequest } from 'fastify'
import type { Actor } from '../audit/audit.ts'

const USER_AGENT_MAX = 300

export function readActor(request: FastifyRequest): Actor {
  return {
    userId: request.principal?.userId ?? null,
    role: request.principal?.role ?? null,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    requestId: request.id,
  }
}
