import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db, Tx } from '../db/connect.ts'
import type { PlatformDeps } from '../deps.ts'
import { fromNow, sleep } from '../shared/clock.ts'
import { canonicalJson } from '../shared/canonical.ts'
import { errors } from '../shared/errors.ts'
import { decrypt, encrypt, keyFrom, listSigningSecrets } from '../secrets/encryption.ts'
import { createRelease, type Release } from './idempotency-release.ts'
import {
  deleteClaim,
  findKeyedCall,
  insertClaim,
  storeAnswer,
  type Claim,
  type KeyedCall,
} from './idempotency.queries.ts'

const KEY_MAX = 255
const KEPT_MS = 24 * 3_600_000
// Longer than any handler runs, so that only a dead process loses its claim.
const CLAIM_MS = 60_000
const WAIT_MS = 5_000
const POLL_MS = [20, 40, 80, 160, 250]
// These answers changed nothing and a retry may succeed, so they are not kept.
const NOT_KEPT = new Set([401, 403, 422, 429])

type Idempotency = {
  /** Stores the answer within `tx`. 409 when the claim was lost to another request; `tx` must then roll back. */
  completeIn(tx: Tx, statusCode: number, body: Record<string, unknown>): Promise<void>
}

type Running = Idempotency & { finish(statusCode: number, payload: unknown): Promise<void> }

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: Idempotency | null
  }
}

/** Decision A12. Runs after access and validation, so that refused requests store nothing. */
export function installIdempotency(
  app: FastifyInstance,
  deps: Pick<PlatformDeps, 'db' | 'clock' | 'config' | 'log'>,
): void {
  // Answers contain access tokens. Those sealed under previous secrets can still be opened.
  const seals = listSigningSecrets(deps.config).map(createSeal)
  const ending = new AbortController()
  const release = createRelease(deps.log, CLAIM_MS, ending.signal)
  const running = new WeakMap<FastifyRequest, Running>()

  app.decorateRequest('idempotency', null)
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    const { notIdempotent } = request.routeOptions.config
    if (key === undefined || request.is404 || request.method !== 'POST' || notIdempotent !== undefined) return
    if (typeof key !== 'string' || key.length === 0 || key.length > KEY_MAX)
      throw errors.validation({ 'Idempotency-Key': [`must have 1 to ${KEY_MAX} characters`] })
    const outcome = await claimOrAnswer(deps, { seals, release }, request, key)
    if ('answer' in outcome) {
      // Waits until it is sent; only then does the framework skip the handler. It may contain an access token.
      void reply.code(outcome.status).type('application/json; charset=utf-8').header('Cache-Control', 'no-store')
      await reply.send(outcome.answer)
      return
    }
    const claimed = run(deps.db, outcome, { reply, release })
    running.set(request, claimed)
    request.idempotency = claimed
  })
  app.addHook('onSend', async (request, reply, payload) => {
    await running.get(request)?.finish(reply.statusCode, payload)
  })
  app.addHook('onClose', () => ending.abort())
}

type Claimed = { claim: Claim; seal: Seal }

async function claimOrAnswer(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  { seals, release }: { seals: Seal[]; release: Release },
  request: FastifyRequest,
  key: string,
): Promise<Claimed | { status: number; answer: string }> {
  const call = readKeyedCall(request, key)
  const known = hashInput(request, seals)
  const hashes = known.map(({ hash }) => hash)
  const [{ seal, hash: bodyHash }] = known
  const giveUpAt = performance.now() + WAIT_MS
  for (let attempt = 0; ; attempt++) {
    const held = await findKeyedCall(db, call, fromNow(clock))
    if (!held || (held.answer === null && held.claim_until.getTime() <= clock.now())) {
      const claim = { ...call, bodyHash, claimUntil: fromNow(clock, CLAIM_MS), expiresAt: fromNow(clock, KEPT_MS) }
      if (await insertOrRelease(db, { claim, hashes, now: fromNow(clock) }, release)) return { claim, seal }
    }
    const same = held && known.find(({ hash }) => hash.equals(held.body_hash))
    if (held && !same) throw errors.idempotencyKeyReused()
    if (held?.answer?.length === 0) throw errors.notFound('The stored answer of this Idempotency-Key')
    if (same && held.answer !== null)
      return { status: held.status_code ?? 200, answer: same.seal.open(held.answer, call) }
    if (performance.now() > giveUpAt) throw errors.idempotencyInProgress()
    await sleep(POLL_MS[attempt] ?? POLL_MS.at(-1)!)
  }
}

type Known = { seal: Seal; hash: Buffer }

/** This input may be stored under these, that of the present secret first. */
function hashInput({ params, query, body }: FastifyRequest, seals: Seal[]): [Known, ...Known[]] {
  const input = canonicalJson([params, query, body ?? null])
  return seals.map((seal) => ({ seal, hash: seal.hash(input) })) as [Known, ...Known[]]
}

/** If the connection is lost, the claim may exist anyway, and must be released. */
async function insertOrRelease(
  db: Db,
  { claim, hashes, now }: { claim: Claim; hashes: Buffer[]; now: Date },
  release: Release,
): Promise<boolean> {
  try {
    return await insertClaim(db, claim, hashes, now)
  } catch (error) {
    await release(() => deleteClaim(db, claim))
    throw error
  }
}

function readKeyedCall(request: FastifyRequest, key: string): KeyedCall {
  const caller = request.principal ? `user:${request.principal.userId}` : `ip:${request.ip}`
  return { caller, route: `POST ${request.routeOptions.url}`, key }
}

type Reply = { reply: FastifyReply; release: Release }

function run(db: Db, { claim, seal }: Claimed, { reply, release }: Reply): Running {
  return {
    completeIn: async (tx, statusCode, body) => {
      const serialize = reply.getSerializationFunction(String(statusCode)) ?? JSON.stringify
      const kept = toKeep(serialize(body), statusCode, { claim, seal })
      if (!(await storeAnswer(tx, claim, kept))) throw errors.idempotencyInProgress()
    },
    finish: async (statusCode, payload) => {
      const isKept = statusCode < 500 && !NOT_KEPT.has(statusCode) && typeof payload === 'string'
      const kept = isKept ? toKeep(payload, statusCode, { claim, seal }) : undefined
      await release(() => (kept ? storeAnswer(db, claim, kept) : deleteClaim(db, claim)))
    },
  }
}

/** `about` lets a purge empty the answers that mention a person. */
function toKeep(text: string, statusCode: number, { claim, seal }: Claimed) {
  return { statusCode, answer: seal.close(text, claim), about: peopleIn(text) }
}

/** Wherever an answer mentions a person, it has `user_id`, `sender_id`, or an object that begins with id and name. */
function peopleIn(text: string): number[] {
  const found = text.matchAll(/"(?:user|sender)_id":(\d{1,16})\b|\{"id":(\d{1,16}),"(?:user)?name"/g)
  return [...new Set(Array.from(found, ([, id, named]) => Number(id ?? named)))]
}

type Seal = {
  /** Keyed, because the input may contain passwords. */
  hash(input: string): Buffer
  close(text: string, call: KeyedCall): Buffer
  open(sealed: Buffer, call: KeyedCall): string
}

function createSeal(secret: string): Seal {
  const [hashKey, sealKey] = [keyFrom(secret, 'idempotency input'), keyFrom(secret, 'idempotency answer')]
  return {
    hash: (input) => createHmac('sha256', hashKey).update(input).digest(),
    close: (text, call) => encrypt(sealKey, Buffer.from(text), toName(call)),
    open: (sealed, call) => decrypt(sealKey, sealed, toName(call)).toString('utf8'),
  }
}

function toName({ caller, route, key }: KeyedCall): string {
  return JSON.stringify([caller, route, key])
}
