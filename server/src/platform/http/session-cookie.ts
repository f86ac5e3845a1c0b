import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { hasEffect } from './parameters.ts'
import type { Exchange } from './write.ts'

type Settings = Pick<Config, 'NODE_ENV'>

/**
 * The cookie counts only with the header of the panel's scripts, which no image, form, frame or link has. It opens no
 * GET that writes or exports (decision A8).
 */
export function readCookieToken(settings: Settings, request: FastifyRequest): string | undefined {
  if (request.headers['x-swapbell-panel'] === undefined) return undefined
  if (request.method === 'GET' && hasEffect(request)) return undefined
  const start = `${chooseName(settings, request)}=`
  const pair = request.headers.cookie?.split('; ').find((given) => given.startsWith(start))
  return pair?.slice(start.length)
}

/** `Strict`: a request that another site makes never carries it. */
export function setCookie(
  settings: Settings,
  { request, reply }: Exchange,
  { value, seconds }: { value: string; seconds: number },
): void {
  const secure = isSecure(settings, request) ? '; Secure' : ''
  const name = chooseName(settings, request)
  const cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  void reply.header('Set-Cookie', cookie).header('Cache-Control', 'no-store')
}

/** Browsers accept the prefix only by TLS, from this host itself, and for all of its paths. */
function chooseName(settings: Settings, request: FastifyRequest): string {
  return isSecure(settings, request) ? '__Host-swapbell_session' : 'swapbell_session'
}

function isSecure({ NODE_ENV }: Settings, { protocol }: FastifyRequest): boolean {
  return NODE_ENV === 'production' || protocol === 'https'
}
