import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, EmptyBody, Id, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { Lines } from '../../platform/http/text.ts'
import { expectedVersions } from '../../platform/http/etag.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Charge } from '../../platform/limits/rate-limit.ts'
import { CursorPage, cursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { counterSwap, moveSwap } from './move.ts'
import { requestSwap } from './propose.ts'
import { listOwnSwaps, presentSwap, showOwnSwap, type SwapEntry } from './swap-screens.ts'
import { isOfStranger } from './swap-screens.queries.ts'
import { noteSwapOpened } from '../../push/inbox/reading.ts'
import { Entry, Screen, toSwapEntry, toSwapScreen } from './swaps.views.ts'

// The last one is not shown: it says that there are older ones.
const LINES_READ = 21

const Products = Type.Array(Id, { minItems: 1, maxItems: 20, uniqueItems: true })
const PROPOSAL = {
  offered: { ...Products, description: 'The products of the requester.' },
  requested: { ...Products, description: 'The products of the owner.' },
  note: Type.Optional(Lines({ maxLength: 500, description: 'To the other side.' })),
}
const CURSORS = {
  created: createCursors('swaps', ['number']),
  activity: createCursors('swaps by activity', ['number', 'number']),
}
const MOVED = answers(200, Success(Entry), 404, 412)

const SIMPLE_MOVES = [
  ['accept', 'Accept a proposal: the products are reserved', 'Swap accepted'],
  ['decline', 'Decline a proposal', 'Swap declined'],
  ['withdraw', 'Withdraw your own proposal before it is answered', 'Swap withdrawn'],
  ['confirm', 'Confirm that the exchange took place; the second confirmation completes the swap', 'Swap confirmed'],
  ['cancel', 'Cancel an accepted swap that nobody has confirmed', 'Swap cancelled'],
] as const

export function registerSwapsRoutes(app: App, deps: PushDeps): void {
  registerLists(app, deps)

  registerChange(app, deps, 'POST /api/v1/swaps', {
    access: 'user',
    operationId: 'proposeSwap',
    summary: 'Propose a swap to the owner of products',
    description:
      'Up to 60 proposals an hour, and 5 an hour to people with whom you never agreed on a swap. A refused proposal does not count.',
    body: Body({ ...PROPOSAL, group_id: Type.Optional(Id) }),
    response: answers(201, Success(Entry)),
    message: 'Swap proposed',
    view: toSwapEntry,
    prepare: ({ caller, body }) => listCharges(deps, caller.userId, body.requested),
    around: (change, _, charges) => deps.rateLimits.spend(charges, change),
    rule: async (work, { body: { group_id: groupId, ...proposal } }) =>
      presentSwap(work, await requestSwap(work, { proposal, groupId })),
  })

  registerMoves(app, deps)
}

function registerLists(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/swaps', {
    access: 'user',
    operationId: 'listMySwaps',
    summary: 'Your swaps as a list shows them, newest or last active first',
    querystring: Type.Object({
      ...CursorQuery,
      state: Type.Optional(
        Type.Enum(['open', 'waiting_for_me', 'done'], {
          description: '`waiting_for_me`: swaps that wait for your answer or confirmation.',
        }),
      ),
      unread: Type.Optional(
        Type.Boolean({
          description: 'True: only those with messages that you have not read. False is as if absent.',
        }),
      ),
      updated_since: Type.Optional(
        Type.String({ format: 'date-time', description: 'Only those whose `active_at` is not before this moment.' }),
      ),
      sort_by: Type.Optional(
        Type.Enum(['created', 'activity'], {
          description: '`activity`: the last move or message first, as a list of conversations. Default: `created`.',
        }),
      ),
    }),
    response: answers(200, CursorPage(Entry)),
    handler: async (request) => {
      const { query } = request
      const { state, unread: isUnread, updated_since: since, sort_by: by = 'created' } = query
      const activeSince = since === undefined ? undefined : parseMoment(since)
      const page = CURSORS[by].readPage(query)
      const filter = { by, state, isUnread, activeSince }
      const swaps = await listOwnSwaps(deps.db, request.caller.userId, { ...filter, ...page })
      const toCursor = ({ swap_id, active_micros }: SwapEntry) =>
        by === 'created' ? CURSORS.created.write([swap_id]) : CURSORS.activity.write([active_micros, swap_id])
      return cursorPage(swaps, page, { toCursor, view: toSwapEntry, message: 'Swaps' })
    },
  })

  registerRoute(app, 'GET /api/v1/swaps/:id', {
    access: 'user',
    operationId: 'getMySwap',
    summary: 'One of your swaps with its products, rounds, newest messages and the moves that you may make',
    response: answers(200, Success(Screen), 404),
    handler: async (request) => {
      const own = { userId: request.caller.userId, swapId: request.params.id }
      const swap = await showOwnSwap(deps.db, { ...own, lines: LINES_READ })
      if (request.method !== 'HEAD') await noteSwapOpened(deps, own)
      return ok(toSwapScreen(swap, LINES_READ), 'Swap')
    },
  })
}

/** A leap second is in the format, and in no clock of ours. */
function parseMoment(text: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw errors.validation({ updated_since: ['must be a date and time'] })
  return moment
}

function registerMoves(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/v1/swaps/:id/counter', {
    access: 'user',
    operationId: 'counterSwap',
    summary: 'Answer a proposal with a counter-proposal, which waits for the other side',
    body: Body(PROPOSAL),
    response: MOVED,
    message: 'Counter-proposal made',
    view: toSwapEntry,
    rule: async (work, request) =>
      presentSwap(work, await counterSwap(work, { ...readTargetSwap(request), proposal: request.body })),
  })

  for (const [name, summary, message] of SIMPLE_MOVES)
    registerChange(app, deps, `POST /api/v1/swaps/:id/${name}`, {
      access: 'user',
      operationId: `${name}Swap`,
      summary,
      body: EmptyBody,
      response: MOVED,
      message,
      view: toSwapEntry,
      rule: async (work, request) =>
        presentSwap(work, await moveSwap(work, { ...readTargetSwap(request), move: name })),
    })

  registerChange(app, deps, 'POST /api/v1/swaps/:id/dispute', {
    access: 'user',
    operationId: 'disputeSwap',
    summary: 'Open a dispute about an accepted swap, which an administrator then resolves',
    body: Body({
      reason: Lines({ maxLength: 1_000, description: 'The other side and administrators can read it.' }),
    }),
    response: MOVED,
    message: 'Dispute opened',
    view: toSwapEntry,
    rule: async (work, request) =>
      presentSwap(
        work,
        await moveSwap(work, { ...readTargetSwap(request), move: 'dispute', words: request.body.reason }),
      ),
  })
}

/** More lines are refused towards a stranger. */
async function listCharges({ db }: Pick<PushDeps, 'db'>, userId: number, [first = 0]: number[]): Promise<Charge[]> {
  const subject = String(userId)
  const charge: Charge = { name: 'swap-proposal', subject }
  return (await isOfStranger(db, userId, first)) ? [charge, { name: 'swap-stranger', subject }] : [charge]
}

function readTargetSwap(request: FastifyRequest & { params: { id: number } }) {
  return { swapId: request.params.id, expected: expectedVersions(request) }
}
