import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, asEvents, Events } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { listenOn, type WakeUpListener } from '../../platform/jobs/wake-up.ts'
import { createBadgeStreams } from './streams.ts'

const BADGES = Events(
  '`badge` events with `total`, `notifications` and `chats` (unread messages of each swap), and the version as `id`; before them ' +
    'an `entry` event, as in the inbox, for each entry that came since. ' +
    'At the end an `end` event with a `reason`. A comment line every 20 seconds keeps the connection open.',
  'retry: 3000\n\nid: 8\nevent: badge\ndata: {"total":2,"notifications":1,"chats":{"7":1}}',
)
const Headers = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^\\d{1,16}$',
      'x-fault': 'must be the id of an event',
      description: 'The id of the last event. What came since is sent, and the present badge only if it differs.',
    }),
  ),
})

export function registerStreamRoutes(app: App, deps: PushDeps): void {
  const listening: { listener?: WakeUpListener } = {}
  const streams = createBadgeStreams(deps, () => listening.listener?.hears() ?? false)
  const { config, pool, log } = deps
  const listen = () =>
    listenOn({ url: config.DATABASE_URL, pool, log, channel: 'swapbell_badges' }, (said = '') =>
      streams.wake(said === '' ? undefined : said.split(',').map(Number)),
    )
  app.addHook('preClose', async () => {
    await Promise.all([streams.close(), listening.listener?.stop()])
  })

  registerRoute(app, 'GET /api/v1/stream', {
    access: 'user',
    operationId: 'streamBadge',
    summary: 'Your badge (unread counts) as server-sent events, now and whenever it changes',
    headers: Headers,
    response: answers(200, BADGES),
    handler: async (request, reply) => {
      // A process without streams needs no connection to listen.
      listening.listener ??= listen()
      const last = request.headers['last-event-id']
      return asEvents(reply, await streams.open(request.caller, last === undefined ? undefined : Number(last)))
    },
  })
}
