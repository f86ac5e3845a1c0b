import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/connect.ts'
import type { Clock } from '../shared/clock.ts'
import { errors } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { createExactCounts, createLocalCounts, type Window } from './rate-counts.ts'
import { addHits, type Hits } from './rate-limit.queries.ts'

type Limit = {
  /** Calls allowed in each stretch of `seconds`. */
  calls: number
  seconds: number
  /** Whose calls count together; `subject`: whom the caller of `hit` names. */
  by: 'ip' | 'user' | 'subject'
  /** Counted in the database before the answer; the others are counted here and shared every 250 ms. */
  exact: boolean
}

const MINUTE = 60
const HOUR = 3_600

/** The limits of the service (decision A11). */
const LIMITS = {
  anonymous: { calls: 600, seconds: MINUTE, by: 'ip', exact: false },
  user: { calls: 120, seconds: MINUTE, by: 'user', exact: false },
  admin: { calls: 300, seconds: MINUTE, by: 'user', exact: false },
  login: { calls: 30, seconds: MINUTE, by: 'ip', exact: true },
  'login-failures': { calls: 10, seconds: 15 * MINUTE, by: 'subject', exact: true },
  register: { calls: 5, seconds: MINUTE, by: 'ip', exact: true },
  'save-phone-token': { calls: 10, seconds: MINUTE, by: 'user', exact: true },
  'save-phone-token-ip': { calls: 60, seconds: MINUTE, by: 'ip', exact: true },
  export: { calls: 6, seconds: MINUTE, by: 'user', exact: true },
  'bulk-send': { calls: 6, seconds: HOUR, by: 'user', exact: true },
  'group-join': { calls: 20, seconds: MINUTE, by: 'user', exact: true },
  'group-join-pair': { calls: 5, seconds: MINUTE, by: 'subject', exact: true },
} as const satisfies Record<string, Limit>

type AnyLimit = keyof typeof LIMITS

/** The limits that a route may declare: those whose subject the request itself tells. */
export type LimitName = {
  [Name in AnyLimit]: (typeof LIMITS)[Name]['by'] extends 'subject' ? never : Name
}[AnyLimit]

export type RateLimits = {
  /** Counts a call of `subject`. One too many: 429 RATE_LIMITED, and it does not count. */
  hit(name: AnyLimit, subject: string): Promise<void>
  /** Takes back a call of an exact limit, such as a login that did not fail. */
  giveBack(name: AnyLimit, subject: string): Promise<void>
  /** Writes what is not shared yet. */
  close(): Promise<void>
}

/** The limits with the changes of RATE_LIMIT_OVERRIDES, each `name=calls/seconds`; throws on one that is none. */
function limitsWith(overrides: string[]): Record<AnyLimit, Limit> {
  const limits: Record<AnyLimit, Limit> = { ...LIMITS }
  for (const override of overrides) {
    const [, name, calls, seconds] = /^([a-z-]+)=(\d{1,7})\/(\d{1,6})$/.exec(override) ?? []
    if (name === undefined || !isLimit(name) || Number(seconds) === 0)
      throw new Error(
        `RATE_LIMIT_OVERRIDES must be name=calls/seconds, with one of: ${Object.keys(LIMITS).join(', ')}.`,
      )
    limits[name] = { ...limits[name], calls: Number(calls), seconds: Number(seconds) }
  }
  return limits
}

function isLimit(name: string): name is AnyLimit {
  return Object.hasOwn(LIMITS, name)
}

/**
 * Counts calls in fixed windows, over all processes, in the database. While it is away every call passes: the requests
 * fail by themselves if they need it.
 */
export function createRateLimits(options: {
  db: Db
  clock: Clock
  log: Log
  enabled: boolean
  overrides?: string[]
}): RateLimits {
  const { db, clock, log, enabled } = options
  const limits = limitsWith(options.overrides ?? [])
  let isAway = false
  const share = async (batch: Hits[]) => {
    try {
      const totals = await addHits(db, batch)
      isAway = false
      return totals
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'request limits are not counted: the database is away')
      isAway = true
      return undefined
    }
  }
  const local = createLocalCounts(share)
  const exact = createExactCounts(share)

  const isWithin = async (limit: Limit, window: Window): Promise<boolean> => {
    if (!limit.exact) return local.add(window, limit.calls)
    if ((await exact.add(window, 1)) <= limit.calls) return true
    void exact.add(window, -1)
    return false
  }

  return {
    hit: async (name, subject) => {
      if (!enabled) return
      const window = windowAt(clock.now(), name, limits[name].seconds, subject)
      if (!(await isWithin(limits[name], window)))
        throw errors.rateLimited(Math.max(1, Math.ceil((window.expiresAt - clock.now()) / 1_000)))
    },
    giveBack: async (name, subject) => {
      if (enabled) await exact.add(windowAt(clock.now(), name, limits[name].seconds, subject), -1)
    },
    close: async () => {
      await local.close()
      await exact.close()
    },
  }
}

/** The window of a moment. The subject is hashed: it may be an e-mail address. */
function windowAt(now: number, name: AnyLimit, seconds: number, subject: string): Window {
  const length = seconds * 1_000
  const windowStart = Math.floor(now / length) * length
  const hash = createHash('sha256').update(subject).digest('base64url').slice(0, 22)
  return { key: `${name}:${hash}`, windowStart, expiresAt: windowStart + length }
}

const EXEMPT = new Set(['/api/health', '/api/ready'])

/**
 * Applies to every request the limit that its access implies, before its body is read, and to each route the limits it
 * declares, after validation: a refused form or a repeated Idempotency-Key uses up nothing.
 */
export function installRateLimits(app: FastifyInstance, rateLimits: RateLimits): void {
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions
    if (url !== undefined && EXEMPT.has(url)) return
    if (request.principal === null) await rateLimits.hit('anonymous', networkOf(request.ip))
    else await rateLimits.hit(config.access === 'user' ? 'user' : 'admin', String(request.principal.userId))
  })
  app.addHook('onRoute', (route) => {
    const names = route.config?.limits ?? []
    if (names.length === 0) return
    // A hook of the route itself runs after those of the application, so after the one of idempotency.
    const declared = [route.preHandler ?? []].flat()
    route.preHandler = [
      ...declared,
      async (request: FastifyRequest) => {
        for (const name of names) await rateLimits.hit(name, subjectOf(request, LIMITS[name].by))
      },
    ]
  })
}

function subjectOf(request: FastifyRequest, by: 'ip' | 'user'): string {
  return by === 'ip' ? networkOf(request.ip) : String(request.principal?.userId ?? networkOf(request.ip))
}

/** Who an address belongs to: an IPv4 address, or the /64 of an IPv6 one, which a single subscriber holds. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const left = head.split(':').filter((group) => group !== '')
  const right = tail?.split(':').filter((group) => group !== '') ?? []
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
