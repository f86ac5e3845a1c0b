import type { FastifyRequest } from 'fastify'

export const SESSION_COOKIE = 'swapbell_session'

const COOKIE = /(?:^|; )swapbell_session=([\w-]+\.[\w-]+\.[\w-]+)(?:;|$)/

/** A cookie counts only for our own pages: others cannot send the header, and browsers set `Sec-Fetch-Site`. */
export function cookieTokenOf({ headers }: FastifyRequest): string | undefined {
  if (headers['x-swapbell-panel'] === undefined && headers['sec-fetch-site'] !== 'same-origin') return undefined
  return COOKIE.exec(headers.cookie ?? '')?.[1]
}
