import { Type } from 'typebox'
import { PLATFORMS } from '../../platform/shared/words.ts'
import type { PushDeps } from '../deps.ts'
import { answers, Body, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { rangeIn, readRange, RangeQuery } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import { listNames } from '../provider/registry.ts'
import { restoreRemoved, type Restored } from './devices.ts'
import { countRemovedByDay, listRemovedDevices, REMOVAL_REASONS, type Period } from './removed-devices.queries.ts'

const TAGS = ['Status']
const URL = '/api/admin/push-status/removed-devices'
const DAYS_MAX = 31
const DAY_MS = 86_400_000
const CURSORS = createCursors('removed-devices', ['number', 'number'])

const OnDay = Type.Object({
  day: Type.String({ description: 'A UTC day, `YYYY-MM-DD`.' }),
  provider: Type.String(),
  reason: Type.Enum(REMOVAL_REASONS),
  devices: Type.Integer(),
})

const Removed = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  name: Type.String(),
  platform: Type.Enum([...PLATFORMS]),
  provider: Type.String(),
  reason: Type.Enum(REMOVAL_REASONS),
  last_registered_at: Timestamp,
  removed_at: Timestamp,
})

const RestoredView = Type.Object({
  restored: Type.Integer({ description: 'Devices that this call restored, up to 10,000; 0 with `dry_run`.' }),
  restorable: Type.Integer({
    description: 'Devices that the next call would restore. Repeat the call until this is 0.',
  }),
  left: Type.Integer({
    description: 'Devices whose token or phone has been registered again since; they stay removed.',
  }),
})

export function registerRemovedDevicesRoutes(app: App, deps: PushDeps): void {
  registerLists(app, deps)
  registerRestore(app, deps)
}

function registerLists(app: App, deps: PushDeps): void {
  const providers = listNames(deps.providers)

  registerRoute(app, `GET ${URL}/days`, {
    access: 'campaigns',
    operationId: 'countRemovedDevices',
    tags: TAGS,
    summary: 'The number of devices removed on each day, by provider and reason; by default the last 31 days',
    querystring: Type.Object(rangeIn('Removed')),
    response: answers(200, Success(Type.Array(OnDay))),
    handler: async ({ query }) =>
      ok(await countRemovedByDay(deps.db, readPeriod(deps, query)), 'Removed devices by day'),
  })

  registerRoute(app, `GET ${URL}`, {
    access: 'campaigns',
    operationId: 'listRemovedDevices',
    tags: TAGS,
    summary: 'The removed devices without their push tokens, newest first',
    querystring: Type.Object({
      ...CursorQuery,
      ...rangeIn('Removed'),
      reason: Type.Optional(Type.Enum(REMOVAL_REASONS)),
      provider: Type.Optional(Type.Enum(providers)),
    }),
    response: answers(200, CursorPage(Removed)),
    handler: async ({ query }) => {
      const page = CURSORS.readPage(query)
      const filter = { ...readPeriod(deps, query), reason: query.reason, provider: query.provider }
      const rows = await listRemovedDevices(deps.db, filter, page)
      return CURSORS.writePage(rows, page, { keys: ['at', 'id'], view: (device) => device, message: 'Removed devices' })
    },
  })
}

function registerRestore(app: App, deps: PushDeps): void {
  const providers = listNames(deps.providers)

  registerRoute(app, `POST ${URL}/restore`, {
    access: 'campaigns',
    operationId: 'restoreRemovedDevices',
    tags: TAGS,
    summary:
      'Restore devices that were removed in a period because the provider reported them gone; `dry_run` only counts them',
    body: Body({
      ...RangeQuery,
      start_date: Type.String({ ...RangeQuery.start_date }),
      end_date: Type.String({ ...RangeQuery.end_date }),
      provider: Type.Optional(Type.Enum(providers, { description: 'Absent: all.' })),
      dry_run: Type.Optional(Type.Boolean({ description: 'Only count; default false.' })),
    }),
    response: answers(200, Success(RestoredView)),
    handler: async (request, reply) => {
      const { provider, dry_run: isDryRun = false } = request.body
      const filter = { ...readPeriod(deps, request.body), provider, isDryRun }
      const message = isDryRun ? 'Nothing changed' : 'Devices brought back'
      return write(deps, { request, reply }, { message, view: (counts: Restored) => counts }, (work) =>
        restoreRemoved(work, filter),
      )
    },
  })
}

type Dates = { start_date?: string; end_date?: string; timezone?: string }

/** Up to 31 days; without a start the 31 before the end, without an end up to now. */
function readPeriod({ clock }: Pick<PushDeps, 'clock'>, query: Dates): Period {
  const range = readRange(query)
  const to = range.to ?? new Date(clock.now() + 1)
  const from = range.from ?? new Date(to.getTime() - DAYS_MAX * DAY_MS)
  // One more day, because one of them may have 25 hours.
  if (to.getTime() - from.getTime() > (DAYS_MAX + 1) * DAY_MS)
    throw errors.validation({ end_date: [`must be at most ${DAYS_MAX} days after start_date`] })
  if (from >= to) throw errors.validation({ start_date: ['must not be in the future'] })
  return { from, to }
}
