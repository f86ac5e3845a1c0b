import { Type, type Static } from 'typebox'
import { PLATFORMS } from '../../platform/shared/words.ts'
import type { PushDeps } from '../deps.ts'
import { answers, Component, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { releaseOwnDevice } from './devices.ts'
import { listOwnDevices, type OwnDevice } from './devices.queries.ts'

const TAGS = ['Devices']
const Device = Component('Device', {
  id: Type.Integer(),
  device_id: Type.String(),
  platform: Type.Enum([...PLATFORMS]),
  last_seen_at: Timestamp,
})
const CURSORS = createCursors('devices', ['number', 'number'])

export function registerOwnDevicesRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/devices', {
    access: 'user',
    tags: TAGS,
    operationId: 'listMyDevices',
    summary: 'Your registered phones, last seen first',
    querystring: Type.Object({ ...CursorQuery }),
    response: answers(200, CursorPage(Device)),
    handler: async (request) => {
      const page = CURSORS.readPage(request.query)
      const rows = await listOwnDevices(deps.db, request.caller.userId, { ...page, now: fromNow(deps.clock) })
      return CURSORS.writePage(rows, page, { keys: ['at', 'id'], view: toDevice, message: 'Devices' })
    },
  })

  registerChange(app, deps, 'DELETE /api/v1/devices/:id', {
    access: 'user',
    tags: TAGS,
    operationId: 'releaseMyDevice',
    summary: 'Release one of your phones: it receives no more pushes until it registers again',
    response: answers(200, Success(Type.Object({ id: Type.Integer(), released: Type.Literal(true) })), 404),
    message: 'Device released',
    rule: (work, request) => releaseOwnDevice(work, { userId: request.caller.userId, id: request.params.id }),
    view: (id) => ({ id, released: true as const }),
  })
}

function toDevice({ id, device_id, platform, last_registered_at }: OwnDevice): Static<typeof Device> {
  return { id, device_id, platform, last_seen_at: last_registered_at }
}
