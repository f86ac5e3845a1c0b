import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { actorOf } from '../../http/actor.ts'
import { answers, EmptyBody, Id, ok, Page, Success } from '../../http/envelope.ts'
import { PageQuery, pageOf, paginated } from '../../http/pagination.ts'
import type { App } from '../../http/routes.ts'
import { sleep } from '../../shared/clock.ts'
import { errors } from '../../shared/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import { pauseMessage, resumeMessage, stopMessage } from '../delivery/control.ts'
import {
  countRecipients,
  findCampaign,
  listCampaigns,
  listRecipients,
  type CampaignRow,
  type RecipientFilter,
} from './promotions.queries.ts'
import { Campaign, Recipient, toCampaignView, toRecipientView } from './promotions.views.ts'

const ById = Type.Object({ notification_id: Id })
const Filter = Type.String({ minLength: 1, maxLength: 200 })
const Events = {
  description: 'Events named `progress`.',
  content: { 'text/event-stream': { schema: Type.String() } },
}
const PROGRESS_EVERY_MS = 1_000
const TAGS = ['Campaigns']

/** Campaigns: their list, their recipients, their progress, and the three controls of a running one. */
export function registerPromotionsRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.get(
    '/api/admin/promotional-notifications',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: TAGS,
        summary: 'Promotional notifications, newest first, with their counts',
        querystring: Type.Object(PageQuery),
        response: answers(200, Page(Campaign), 401, 403, 422),
      },
    },
    async (request) => {
      const page = pageOf(request.query)
      const { rows, total } = await listCampaigns(db, page)
      return paginated(rows.map(toCampaignView), total, page, 'Promotional notifications')
    },
  )

  app.get(
    '/api/admin/promotional-notifications/:notification_id',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: TAGS,
        summary: 'The recipients of one promotional notification, one row a device',
        params: ById,
        querystring: Type.Object({
          ...PageQuery,
          name: Type.Optional(Filter),
          email: Type.Optional(Filter),
          status: Type.Optional(Type.Enum(['sent', 'delivered', 'opened'])),
          device_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
          platform: Type.Optional(Type.Enum(['ios', 'android'])),
        }),
        response: answers(200, Type.Interface([Page(Recipient)], { summary: Campaign }), 401, 403, 404, 422),
      },
    },
    async (request) => {
      const { name, email, status, device_id, platform } = request.query
      const filter = { name, email, status, device_id, platform }
      const page = pageOf(request.query)
      const campaign = await campaignOf(request.params.notification_id)
      const rows = await listRecipients(db, campaign.message_id, filter, page)
      const total = countedAlready(campaign, filter) ?? (await countRecipients(db, campaign.message_id, filter))
      const view = paginated(rows.map(toRecipientView), total, page, 'Recipients of the promotional notification')
      return { ...view, summary: toCampaignView(campaign) }
    },
  )

  for (const [action, change, message] of CONTROLS) {
    app.post(
      `/api/admin/promotional-notifications/:notification_id/${action}`,
      {
        config: { access: 'campaigns' },
        schema: {
          tags: TAGS,
          summary: `${message.replace('Campaign', 'Campaigns:')}; honoured before the next submission`,
          params: ById,
          body: EmptyBody,
          response: answers(200, Success(Campaign), 400, 401, 403, 404, 409, 413, 415, 422),
        },
      },
      async (request) => {
        const { message_id } = await campaignOf(request.params.notification_id)
        await change(deps, message_id, (tx, { from, to }) =>
          recordAudit(tx, deps, actorOf(request), {
            action: `campaign.${action}`,
            entity: 'message',
            entityId: message_id,
            change: { before: { status: from }, after: { status: to }, subjectId: null },
          }),
        )
        return ok(toCampaignView(await campaignOf(message_id)), message)
      },
    )
  }

  app.get(
    '/api/admin/promotional-notifications/:notification_id/progress',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: TAGS,
        summary: 'Progress as server-sent events: the campaign each second, until it is completed or stopped',
        params: ById,
        response: answers(200, Events, 401, 403, 404, 422),
      },
    },
    async (request, reply) => {
      const campaign = await campaignOf(request.params.notification_id)
      const gone = new AbortController()
      request.raw.once('close', () => gone.abort())
      return reply.type('text/event-stream').send(Readable.from(progressOf(campaign, gone.signal)))
    },
  )

  async function campaignOf(messageId: number): Promise<CampaignRow> {
    const campaign = await findCampaign(db, messageId)
    if (campaign === undefined) throw errors.notFound('This promotional notification')
    return campaign
  }

  async function* progressOf(campaign: CampaignRow, signal: AbortSignal): AsyncGenerator<string> {
    for (let current = campaign; ; current = await campaignOf(campaign.message_id)) {
      yield `event: progress\ndata: ${JSON.stringify(toCampaignView(current))}\n\n`
      if (current.status === 'completed' || current.status === 'stopped') return
      await sleep(PROGRESS_EVERY_MS, signal)
      if (signal.aborted || deps.lifecycle.draining) return
    }
  }
}

const CONTROLS = [
  ['pause', pauseMessage, 'Campaign paused'],
  ['resume', resumeMessage, 'Campaign resumed'],
  ['stop', stopMessage, 'Campaign stopped'],
] as const

/** The count of a list that a campaign's own counters already know. */
function countedAlready(campaign: CampaignRow, { status, ...others }: RecipientFilter): number | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  return status === undefined ? campaign.notifications : campaign[status]
}
