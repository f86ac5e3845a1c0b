import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, Nullable, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange } from '../../platform/http/routes.ts'
import type { Work } from '../../platform/work/work.ts'

const LIMIT_DEFAULT = 1_000
const LIMIT_MAX = 10_000

const ReceiptsQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The maximum number of receipts to ask for, up to 10,000; default 1,000.',
    }),
  ),
}
const Fetched = Success(Type.Object({ limit: Type.Integer() }))
const URL = '/api/admin/process-receipts'

/** The service also asks on a schedule (decision B16). */
export function registerReceiptsRoutes(app: App, deps: PushDeps): void {
  registerChange(app, deps, `GET ${URL}`, {
    access: 'campaigns',
    effect: 'write',
    operationId: 'fetchReceipts',
    summary: 'Fetch open receipts from the provider now, in the background, oldest first',
    querystring: Type.Object(ReceiptsQuery),
    response: answers(202, Fetched),
    ...STARTED,
    rule: (work, { query }) => startFetching(work, query),
  })

  registerChange(app, deps, `POST ${URL}`, {
    access: 'campaigns',
    operationId: 'startFetchingReceipts',
    summary: 'The same as a POST, which the panel makes',
    body: Nullable(Body(ReceiptsQuery)),
    response: answers(202, Fetched),
    ...STARTED,
    rule: (work, { body }) => startFetching(work, body ?? {}),
  })
}

const STARTED = { status: 202, message: 'Receipt processing started', view: (limit: number) => ({ limit }) } as const

/** A run of its own for each call: none waits for another. */
async function startFetching(work: Work, { limit: requested = LIMIT_DEFAULT }: { limit?: number }): Promise<number> {
  const limit = Math.min(requested, LIMIT_MAX)
  await work.enqueue('fetch-receipts', { limit, dueOnly: false }, randomUUID())
  await work.audit({ action: 'receipts.fetch', entity: 'receipts' })
  return limit
}
