import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { errors } from '../shared/errors.ts'
import { isLoopback } from '../shared/networks.ts'

/** Keeps DNS rebinding out (ADR 18). In production ALLOWED_HOSTS decides, as the proxy in front has its own names. */
export function installHostCheck(app: FastifyInstance, config: Config): void {
  const names = new Set(config.ALLOWED_HOSTS.map((name) => name.toLowerCase()))
  const isOpen = names.size === 0 && (config.NODE_ENV === 'production' || !isLoopback(config.HOST))
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { host } = raw.headers
    const given = raw.rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length
    if (given > 1 || (given === 0 && raw.httpVersion === '1.1')) {
      void reply.header('Connection', 'close')
      throw errors.badRequest(given === 0 ? 'The Host header is missing.' : 'There is more than one Host header.')
    }
    const name = readName(host ?? '')
    if (!isOpen && isIP(name) === 0 && !isLoopback(name) && !names.has(name))
      throw errors.badRequest('The API does not accept this host name; ALLOWED_HOSTS lists the names that it accepts.')
    done()
  })
}

function readName(host: string): string {
  const name = host.startsWith('[') ? host.slice(1).split(']', 1)[0] : host.split(':', 1)[0]
  return (name ?? '').toLowerCase()
}
