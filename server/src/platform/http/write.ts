import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/connect.ts'
import { AppError, errors } from '../shared/errors.ts'
import { inWork, type Ground, type Work } from '../work/work.ts'
import { readActor } from './actor.ts'
import { ok } from './envelope.ts'
import { withVersion } from './etag.ts'

export type Answer<R, V> = {
  status?: 201 | 202 | ((record: R) => 200 | 201 | 202)
  message: string | ((record: R) => string)
  view: (record: R) => V
  /** Renders the current record of a 412, where the answer itself is another one. */
  current?: (record: never) => unknown
}

export type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Each part of a union is an answer of its own, which the compiler compares with the schema of its status. */
type Written<V> = V extends unknown ? { success: true; data: V; message: string } : never

/**
 * The effect, its answer and its audit entry exist together or not at all (decisions A12, C14; ADR 18). The rule may
 * run again after a deadlock: what outlives a rollback, such as a rate limit, stands around the call.
 */
export async function write<R, V>(
  ground: Ground & { db: Db },
  { request, reply }: Exchange,
  { status, message, view, current = view }: Answer<R, V>,
  rule: (work: Work) => Promise<R>,
): Promise<Written<V>> {
  const { code, body } = await inWork(ground, readActor(request), async (work) => {
    const record = await rule(work).catch((error: unknown) => {
      throw rendered(error, current)
    })
    const answer = ok(view(record), typeof message === 'string' ? message : message(record))
    const given = typeof status === 'function' ? status(record) : (status ?? 200)
    await request.idempotency?.completeIn(work.tx, given, answer)
    return { code: given, body: answer }
  })
  void reply.code(code)
  if (hasVersion(body.data)) withVersion(reply, body.data)
  return body as Written<V>
}

export function nothing(): object {
  return {}
}

function rendered(error: unknown, view: (record: never) => unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'STALE_VERSION') return error
  return errors.staleVersion(view(error.extras.data as never))
}

function hasVersion(data: unknown): data is { version: number } {
  return typeof (data as { version?: unknown } | null)?.version === 'number'
}
