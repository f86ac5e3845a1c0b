import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { errors } from '../shared/errors.ts'
import { isLoopback } from '../shared/networks.ts'

/** The fields of bodies with addresses of images, which the browsers of others load. */
const FIELDS = ['images', 'avatar_url']

/** An image on a host of our own would be a call of the API, made by whoever looks at it. */
export function installImageCheck(app: FastifyInstance, { ALLOWED_HOSTS, PANEL_ORIGIN }: Config): void {
  const own = new Set([...ALLOWED_HOSTS, readHost(PANEL_ORIGIN)].map((name) => name.toLowerCase()))
  app.addHook('preHandler', ({ body, hostname }, _reply, done) => {
    const faults = FIELDS.flatMap((field) => addressesIn(body, field)).filter(([, address]) => {
      const host = readHost(address)
      return host === hostname.toLowerCase() || own.has(host) || isLoopback(host)
    })
    if (faults.length > 0)
      throw errors.validation(
        Object.fromEntries(faults.map(([field]) => [field, ['must not be on a host of this API']])),
      )
    done()
  })
}

function addressesIn(body: unknown, field: string): [field: string, address: string][] {
  const value = (body as Record<string, unknown> | null | undefined)?.[field]
  if (typeof value === 'string') return [[field, value]]
  return Array.isArray(value) ? value.map((address, place) => [`${field}.${place}`, String(address)]) : []
}

/** Browsers read it in this way. It is empty for no address. */
function readHost(address: string): string {
  return (
    URL.parse(address)
      ?.hostname.replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '') ?? ''
  )
}
