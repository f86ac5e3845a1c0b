import { isBarred } from '../accounts/barred.ts'
import { createHash, randomUUID } from 'node:crypto'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../platform/config/config.ts'
import type { Db, DbPool, Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import { DAY_MS } from '../../platform/shared/days.ts'
import { can, type Principal } from '../../platform/rights/permissions.ts'
import { listSigningSecrets } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { Work } from '../../platform/work/work.ts'
import { gather } from '../../platform/concurrency/gather.ts'
import { createLastSeen, type LastSeen } from './last-seen.ts'
import {
  findSessions,
  insertSession,
  revokeSessions,
  updateSecondFactor,
  type Ended,
  type SessionRow,
} from './sessions.queries.ts'

const ISSUER = 'swapbell'
const AUDIENCE = 'swapbell-api'
// A session of the panel ends after this time, and so do the administrative rights of every other session.
const ADMINISTRATION_MS = 12 * 3_600_000
// Decision A9: a logout or a suspension counts within 1 s on every other process.
const CACHE_MS = 1_000
const CACHE_MAX = 10_000
const MOST_ASKED = 200
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export type OpenedSession = { token: string; expiresAt: Date; expiresInSeconds: number }

type NewSession = {
  userId: number
  /** Ends after 12 h. */
  isForPanel?: boolean
  site?: string
  device?: string | null
  network?: string | null
  hasFactor?: boolean
}

export type Sessions = ReturnType<typeof createSessions>

type Named = { userId: number; sessionId: string }
type Parts = { db: Db; pool: DbPool; clock: Clock; config: Config; log: Log }

export function createSessions(parts: Parts) {
  const { db, clock, config } = parts
  const lives = { unusedMs: config.SESSION_UNUSED_DAYS * DAY_MS, atMostMs: config.SESSION_LONGEST_DAYS * DAY_MS }
  const tokens = createTokens(config)
  const lastSeen = createLastSeen(parts, lives.unusedMs)
  const principals = createPrincipals(parts, lastSeen)
  return {
    /** 401 UNAUTHENTICATED, TOKEN_EXPIRED or ACCOUNT_SUSPENDED. */
    authenticate: async (token: string | undefined): Promise<Principal> => {
      const claims = tokens.read(token)
      if (claims.expiresAtMs <= clock.now()) throw errors.tokenExpired()
      return principals.check(claims)
    },
    /** It gives the present state of a session that was authenticated before; 401 as above. */
    check: principals.check,
    /** Decision A9. `site` is a keyed hash. */
    open: async (user: NewSession, tx: Db | Tx = db): Promise<OpenedSession> => {
      const { userId, isForPanel = false, site = null, device = null, network = null, hasFactor = false } = user
      const issuedAt = Math.floor(clock.now() / 1000)
      const endsAt = new Date(issuedAt * 1000 + (isForPanel ? ADMINISTRATION_MS : lives.atMostMs))
      const expiresAt = new Date(Math.min(endsAt.getTime(), issuedAt * 1000 + lives.unusedMs))
      const session = { session_id: randomUUID(), user_id: userId, created_at: fromNow(clock), expires_at: expiresAt }
      const second_factor_at = hasFactor ? session.created_at : null
      await insertSession(tx, { ...session, ends_at: endsAt, site, device, network, second_factor_at })
      const token = tokens.write({ sub: String(userId), jti: session.session_id, iat: issuedAt }, endsAt)
      return { token, expiresAt, expiresInSeconds: expiresAt.getTime() / 1000 - issuedAt }
    },
    setFactor: async (work: Work, { userId, ...session }: Named & { hasFactor: boolean }): Promise<void> => {
      await updateSecondFactor(work.tx, { ...session, now: work.now() })
      afterCommit(work.tx, () => principals.forget(userId))
    },
    /** Ends one session of the user, or all but one. False when there was none to end. */
    end: async (work: Work, ended: Omit<Ended, 'now'>): Promise<boolean> => {
      const count = await revokeSessions(work.tx, { ...ended, now: work.now() })
      afterCommit(work.tx, () => principals.forget(ended.userId))
      return count > 0
    },
    /** This process reads the database again at the user's next request. */
    forget: principals.forget,
    flush: lastSeen.flush,
  }
}

type Cached = { userId: number; loadedAt: number; session: Promise<Principal> }

/** Answers of the database are cached for 1 s; the process that ended the session drops them at once. */
function createPrincipals({ pool, clock, config }: Parts, lastSeen: LastSeen) {
  const mustHaveFactor = config.SECOND_FACTOR === 'required'
  const find = gather((sessions: Named[]) => findInOrder(pool, sessions), MOST_ASKED)
  const cache = new LRUCache<string, Cached>({ max: CACHE_MAX })

  const read = async (claims: Named): Promise<Principal> => {
    const row = await find(claims)
    const principal = toPrincipal(claims, row, mustHaveFactor)
    if (row) lastSeen.note(row.session_id, row.seen_at)
    return principal
  }

  const load = (claims: Named): Promise<Principal> => {
    const cached = cache.get(claims.sessionId)
    const now = clock.now()
    if (cached?.userId === claims.userId && Math.abs(now - cached.loadedAt) < CACHE_MS) return cached.session
    // The promise itself is kept, so that an answer that left the database before a logout is never kept after it.
    const entry: Cached = { userId: claims.userId, loadedAt: now, session: read(claims) }
    cache.set(claims.sessionId, entry)
    entry.session.catch(() => cache.peek(claims.sessionId) === entry && cache.delete(claims.sessionId))
    return entry.session
  }

  return {
    check: async (session: Named): Promise<Principal> => {
      const principal = await load(session)
      if (principal.expiresAt.getTime() <= clock.now()) throw errors.tokenExpired()
      return principal.openedAt.getTime() + ADMINISTRATION_MS > clock.now() ? principal : { ...principal, role: 'user' }
    },
    forget: (userId: number): void => {
      for (const [sessionId, cached] of cache) if (cached.userId === userId) cache.delete(sessionId)
    },
  }
}

async function findInOrder(pool: DbPool, sessions: Named[]): Promise<(SessionRow | undefined)[]> {
  const rows = new Map((await findSessions(pool, sessions)).map((row) => [row.session_id, row]))
  return sessions.map(({ sessionId, userId }) => {
    const row = rows.get(sessionId)
    return row?.user_id === userId ? row : undefined
  })
}

function toPrincipal({ sessionId, userId }: Named, row: SessionRow | undefined, mustHaveFactor: boolean): Principal {
  if (!row || row.deleted_at !== null) throw errors.unauthenticated()
  if (isBarred(row.status)) throw errors.accountSuspended(401)
  if (row.revoked_at !== null) throw errors.unauthenticated()
  const { username, email, name, role: accountRole, status } = row
  const times = { createdAt: row.created_at, openedAt: row.opened_at, expiresAt: row.expires_at }
  const lacksFactor = mustHaveFactor && can(accountRole, 'panel') && row.second_factor_at === null
  const role = lacksFactor ? 'user' : accountRole
  return { userId, sessionId, username, email, name, role, accountRole, lacksFactor, status, ...times }
}

type Payload = { sub?: unknown; jti?: unknown; exp?: unknown }
type Claims = Named & { expiresAtMs: number }

/** HS256 alone. A key is looked up by the id in the header, so tokens of previous secrets still count. */
function createTokens(config: Config) {
  const readers = new Map(listSigningSecrets(config).map((secret) => [toKeyId(secret), createReader(secret)]))
  const decode = createDecoder({ complete: true })
  // The result of checking a signature never changes; the session itself is read each time.
  const read = new LRUCache<string, Claims>({ max: CACHE_MAX })
  const sign = createSigner({
    algorithm: 'HS256',
    key: config.JWT_SECRET,
    kid: toKeyId(config.JWT_SECRET),
    iss: ISSUER,
    aud: AUDIENCE,
  })

  return {
    write: (claims: { sub: string; jti: string; iat: number }, expiresAt: Date): string =>
      sign({ ...claims, exp: Math.floor(expiresAt.getTime() / 1000) }),
    read: (token: string | undefined): Claims => {
      if (token === undefined) throw errors.unauthenticated()
      const known = read.get(token)
      if (known) return known
      try {
        const { header }: { header: { kid?: unknown } } = decode(token)
        const verify = readers.get(String(header.kid))
        if (!verify) throw errors.unauthenticated()
        const claims = readClaims(verify(token))
        read.set(token, claims)
        return claims
      } catch {
        throw errors.unauthenticated()
      }
    },
  }
}

/** Verifies everything but the expiry, which is compared with the service's own clock. */
function createReader(secret: string): (token: string) => Payload {
  return createVerifier<string>({
    algorithms: ['HS256'],
    key: secret,
    allowedIss: ISSUER,
    allowedAud: AUDIENCE,
    requiredClaims: ['sub', 'jti', 'iat', 'exp', 'iss', 'aud'],
    checkTyp: 'JWT',
    ignoreExpiration: true,
  })
}

function readClaims({ sub, jti, exp }: Payload): Claims {
  const userId = typeof sub === 'string' && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : NaN
  if (!Number.isSafeInteger(userId) || typeof jti !== 'string' || !UUID.test(jti)) throw errors.unauthenticated()
  if (typeof exp !== 'number' || !Number.isSafeInteger(exp)) throw errors.unauthenticated()
  return { userId, sessionId: jti, expiresAtMs: exp * 1000 }
}

function toKeyId(secret: string): string {
  return createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 12)
}
