import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS, type AnyLimit, type ExactLimit, type Limit, type Overrides } from '../config/request-limits.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../shared/clock.ts'
import type { Db } from '../db/connect.ts'
import { AppError, errors, type Quota } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { toNetwork, toSite } from '../shared/networks.ts'
import type { Work } from '../work/work.ts'
import { createExactCounts, createLocalCounts, type Window } from './rate-counts.ts'
import { addHits, findHits, type Hits } from './rate-limit.queries.ts'

/** `amount` (1) of a limit, counted for `subject`, who may use `times` (1) the limit. */
export type Charge = { name: ExactLimit; subject: string; amount?: number; times?: number }

export type RateLimits = {
  /** What is left; undefined when limits are off. Over the limit: 429, and it does not count. `most` lowers it. */
  hit(name: AnyLimit, subject: string, most?: number): Promise<Quota | undefined>
  /** An IPv6 caller counts by its /64, and by its /56 with four times the calls. */
  hitFrom(name: AnyLimit, ip: string): Promise<Quota | undefined>
  /** Never refuses; returns the calls in the window divided by the limit. */
  count(name: AnyLimit, subject: string): Promise<number>
  /** When a charge is over its limit: 429 RATE_LIMITED and none counts; when `work` throws, none counts either. */
  spend<T>(charges: Charge[], work: () => Promise<T>): Promise<T>
  giveBack(name: AnyLimit, subject: string): Promise<void>
  /** The calls in the window; undefined when limits are off. */
  read(name: ExactLimit, subject: string): Promise<number | undefined>
  close(): Promise<void>
}

function limitsWith(overrides: Overrides): Record<AnyLimit, Limit> {
  const limits: Record<AnyLimit, Limit> = { ...LIMITS }
  for (const name of Object.keys(overrides) as AnyLimit[]) limits[name] = { ...limits[name], ...overrides[name] }
  return limits
}

// A subscriber may have up to 256 networks of /64, and some providers give each subscriber one.
const SITE_TIMES = 4

export function chargesFrom(name: ExactLimit, ip: string): Charge[] {
  const [network, site] = [toNetwork(ip), toSite(ip)]
  const charge = { name, subject: network }
  return site === network ? [charge] : [charge, { name, subject: site, times: SITE_TIMES }]
}

const NO_LIMITS: RateLimits = {
  hit: async () => undefined,
  hitFrom: async () => undefined,
  count: async () => 0,
  spend: async (_, work) => work(),
  giveBack: async () => undefined,
  read: async () => undefined,
  close: async () => undefined,
}

export function createRateLimits(deps: { db: Db; clock: Clock; log: Log; config: Config }): RateLimits {
  const { db, clock, log, config } = deps
  const limits = limitsWith(config.RATE_LIMIT_OVERRIDES)
  if (config.RATE_LIMITS === 'off') return NO_LIMITS
  const share = sharedCounts(db, log)
  const local = createLocalCounts(share)
  const exact = createExactCounts(share)

  const findWindow = (name: AnyLimit, subject: string) => windowAt(clock.now(), name, limits[name].seconds, subject)

  const sumWith = async (limit: Limit, window: Window): Promise<number> => {
    if (!limit.exact) return local.add(window, limit.calls)
    const sum = await exact.add(window, 1)
    if (sum > limit.calls) await exact.add(window, -1)
    return sum
  }

  const hit = async (name: AnyLimit, subject: string, calls: number): Promise<Quota> => {
    const [limit, window] = [limits[name], findWindow(name, subject)]
    const sum = await sumWith({ ...limit, calls }, window)
    // A limit that was lowered for this call is not named, because it reveals something about the account.
    if (sum > calls) throw refusal(toQuota(name, limit, window, clock.now()), 1)
    return { ...toQuota(name, limit, window, clock.now()), remaining: limit.calls - Math.max(sum, 0) }
  }

  const giveBack = async (name: AnyLimit, subject: string) => void (await exact.add(findWindow(name, subject), -1))

  return {
    hit: (name, subject, most = Infinity) => hit(name, subject, Math.min(limits[name].calls, most)),
    hitFrom: async (name, ip) => {
      const [network, site] = [toNetwork(ip), toSite(ip)]
      const quota = await hit(name, network, limits[name].calls)
      if (site === network) return quota
      try {
        await hit(name, site, limits[name].calls * SITE_TIMES)
        return quota
      } catch (error) {
        if (limits[name].exact) await giveBack(name, network)
        throw error
      }
    },
    count: async (name, subject) => Math.max(0, await exact.add(findWindow(name, subject), 1)) / limits[name].calls,
    spend: async (charges, work) => {
      const counted = await Promise.all(
        charges.map(async ({ name, subject, amount = 1, times = 1 }) => {
          const [limit, window] = [{ ...limits[name], calls: limits[name].calls * times }, findWindow(name, subject)]
          return { name, limit, window, amount, isExceeded: (await exact.add(window, amount)) > limit.calls }
        }),
      )
      const exceeded = counted
        .filter(({ isExceeded }) => isExceeded)
        .toSorted((a, b) => b.window.expiresAt - a.window.expiresAt)[0]
      try {
        if (exceeded)
          throw refusal(toQuota(exceeded.name, exceeded.limit, exceeded.window, clock.now()), exceeded.amount)
        return await work()
      } catch (error) {
        const givenBack = Promise.all(counted.map(({ window, amount }) => exact.add(window, -amount)))
        // Who corrects a refused call sends it again at once. Where the database does not answer, nobody waits for it.
        if (error instanceof AppError && error.status < 500) await givenBack
        throw error
      }
    },
    giveBack,
    read: (name, subject) => findHits(db, findWindow(name, subject)),
    close: async () => {
      await local.close()
      await exact.close()
    },
  }
}

/** Counts as `count` does, in the transaction of a change: what is rolled back did not count. */
export async function countIn({ tx, config, now }: Work, { name, subject }: Charge): Promise<number> {
  if (config.RATE_LIMITS === 'off') return 0
  const { calls, seconds } = limitsWith(config.RATE_LIMIT_OVERRIDES)[name]
  const [hits = 0] = await addHits(tx, [{ ...windowAt(now().getTime(), name, seconds, subject), hits: 1 }])
  return hits / calls
}

/** Every call passes while the database is unreachable: those that need it fail anyway. */
function sharedCounts(db: Db, log: Log): (batch: Hits[]) => Promise<number[] | undefined> {
  let isUnreachable = false
  return async (batch) => {
    try {
      const totals = await addHits(db, batch)
      isUnreachable = false
      return totals
    } catch (error) {
      if (!isUnreachable) log.warn({ err: error }, 'request limits are not counted: the database is unreachable')
      isUnreachable = true
      return undefined
    }
  }
}

function toQuota(name: AnyLimit, { calls, seconds }: Limit, { expiresAt }: Window, now: number): Quota {
  return { name, calls, seconds, remaining: 0, resetSeconds: Math.max(1, Math.ceil((expiresAt - now) / 1_000)) }
}

function refusal(quota: Quota, amount: number): AppError {
  const { name, calls, seconds, resetSeconds } = quota
  const rule = `the limit \`${name}\` allows ${calls} in ${seconds} s`
  const sentence = amount > calls ? `This call takes ${amount}, and ${rule}.` : `Too many: ${rule}. Try again later.`
  return errors.rateLimited(resetSeconds, sentence, quota)
}

/** The subject is hashed, because it may be an e-mail address. */
function windowAt(now: number, name: AnyLimit, seconds: number, subject: string): Window {
  const length = seconds * 1_000
  const windowStart = Math.floor(now / length) * length
  const hash = createHash('sha256').update(subject).digest('base64url').slice(0, 22)
  return { key: `${name}:${hash}`, windowStart, expiresAt: windowStart + length }
}

const EXEMPT = new Set(['/api/health', '/api/ready'])

/** A route's limits count after validation, so that a refused body or a repeated Idempotency-Key uses up nothing. */
export function installRateLimits(app: FastifyInstance, rateLimits: RateLimits): void {
  installQuotaHeaders(app)
  app.addHook('onRequest', async (request) => {
    const { principal } = request
    if (EXEMPT.has(request.routeOptions.url ?? '')) return
    const counted =
      principal === null
        ? rateLimits.hitFrom('anonymous', request.ip)
        : rateLimits.hit(isAdministration(request) ? 'admin' : 'user', String(principal.userId))
    keep(request, await counted)
  })
  app.addHook('onRoute', (route) => {
    const names = route.config?.limits ?? []
    if (names.length === 0) return
    // A hook of the route runs after those of the application, so after idempotency.
    const declared = [route.preHandler ?? []].flat()
    route.preHandler = [
      ...declared,
      async (request: FastifyRequest) => {
        for (const name of names)
          if (LIMITS[name].by === 'ip') keep(request, await rateLimits.hitFrom(name, request.ip))
          else keep(request, await rateLimits.hit(name, String(request.principal?.userId ?? toNetwork(request.ip))))
      },
    ]
  })
}

/** Calls of staff to the administration, also those that every session may make, such as check-token. */
function isAdministration({ principal, routeOptions: { url, config } }: FastifyRequest): boolean {
  return config.access !== 'user' || (principal?.role !== 'user' && url?.startsWith('/api/admin/') === true)
}

function keep(request: FastifyRequest, quota: Quota | undefined): void {
  if (quota !== undefined) request.quotas = [...(request.quotas ?? []), quota]
}

declare module 'fastify' {
  interface FastifyRequest {
    quotas: Quota[] | null
  }
}

/** draft-ietf-httpapi-ratelimit-headers-11 */
function installQuotaHeaders(app: FastifyInstance): void {
  app.decorateRequest('quotas', null)
  app.addHook('onSend', ({ quotas }, reply, payload, done) => {
    if (quotas === null) return done(null, payload)
    const policies = quotas.map(({ name, calls, seconds }) => `"${name}";q=${calls};w=${seconds}`)
    const standings = quotas.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
    void reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', standings.join(', '))
    done(null, payload)
  })
}
