import { Type, type Static } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { answers, Component, EmptyBody, Success, Timestamp } from '../../platform/http/envelope.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { blockUser, unblockUser } from './blocks.ts'
import { listBlocks, type BlockedRow } from './blocks.queries.ts'

const Block = Component('Block', { user_id: Type.Integer(), is_blocked: Type.Boolean() })
const Blocked = Component('BlockedPerson', { user: Person, created_at: Timestamp })
const CURSORS = createCursors('blocks', ['number', 'number'])

export function registerBlocksRoutes(app: App, deps: IdentityDeps): void {
  registerRoute(app, 'GET /api/v1/blocks', {
    access: 'user',
    operationId: 'listMyBlocks',
    summary: 'People you block, newest first',
    querystring: Type.Object({ ...CursorQuery }),
    response: answers(200, CursorPage(Blocked)),
    handler: async (request) => {
      const page = CURSORS.readPage(request.query)
      const rows = await listBlocks(deps.db, { userId: request.caller.userId, ...page })
      return CURSORS.writePage(rows, page, { keys: ['at', 'user_id'], view: toBlocked, message: 'Blocked people' })
    },
  })

  registerChange(app, deps, 'POST /api/v1/users/:id/block', {
    access: 'user',
    limits: ['block'],
    operationId: 'blockUser',
    summary: 'Block a person; neither of you sees, can write to, or gets pushes about the other',
    body: EmptyBody,
    response: answers(200, Success(Block), 404),
    message: 'Person blocked',
    view: (user_id: number) => ({ user_id, is_blocked: true }),
    rule: (work, { params }) => blockUser(work, params.id),
  })

  registerChange(app, deps, 'DELETE /api/v1/users/:id/block', {
    access: 'user',
    operationId: 'unblockUser',
    summary: 'Unblock a person; safe to repeat',
    response: answers(200, Success(Block)),
    message: 'Person unblocked',
    view: (user_id: number) => ({ user_id, is_blocked: false }),
    rule: (work, { params }) => unblockUser(work, params.id),
  })
}

function toBlocked(row: BlockedRow): Static<typeof Blocked> {
  return { user: toPerson(row), created_at: row.created_at.toISOString() }
}
