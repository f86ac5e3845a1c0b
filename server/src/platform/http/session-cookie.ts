import type { FastifyRequest } from 'fastify'

/** The cookie that holds the session of the panel. */
export const SESSION_COOKIE = 'swapbell_session'

const COOKIE = /(?:^|; )swapbell_session=([\w-]+\.[\w-]+\.[\w-]+)(?:;|$)/

/**
 * The token of a request that the panel makes. A cookie counts only for requests of our own pages: the panel's calls
 * have a header that pages of other origins cannot send without being allowed to, and of downloads and streams the
 * browser itself says where they come from. The cookie is `SameSite=Strict` besides.
 */
export function cookieTokenOf({ headers }: FastifyRequest): string | undefined {
  if (headers['x-swapbell-panel'] === undefined && headers['sec-fetch-site'] !== 'same-origin') return undefined
  return COOKIE.exec(headers.cookie ?? '')?.[1]
}
