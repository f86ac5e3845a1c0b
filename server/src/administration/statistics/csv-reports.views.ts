import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { recordAuditAlone } from '../../platform/audit/audit.ts'
import { readActor } from '../../platform/http/actor.ts'
import { CSV_CONTENT, sendCsv } from '../../platform/http/csv.ts'
import { answers } from '../../platform/http/envelope.ts'
import type { Exchange } from '../../platform/http/write.ts'

export function orCsv(json: TSchema) {
  return {
    ...answers(200, json),
    200: { content: { 'application/json': { schema: json }, ...CSV_CONTENT } },
  }
}

type Chosen = { filter: { peopleIds?: unknown; search?: unknown }; order?: object }

/** Sends all rows of a report as a file: 429 beyond the limit of exports, and an audit entry without the search. */
export async function sendReport<Row, View>(
  deps: PushDeps,
  { request, reply }: Exchange,
  { filter, order, ...file }: Chosen & Parameters<typeof sendCsv<Row, View>>[1],
): Promise<FastifyReply> {
  const actor = readActor(request)
  await deps.rateLimits.hit('export', String(actor.userId))
  const { peopleIds, search, ...rest } = filter
  const after = {
    format: 'csv',
    filter: { ...rest, is_search: (peopleIds ?? search) !== undefined },
    ...(order && { order }),
  }
  await recordAuditAlone(deps, actor, { action: `${file.name}.export`, entity: 'report', change: { after } })
  return sendCsv(reply, file)
}
