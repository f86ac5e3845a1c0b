import { Type, type Static } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { requirePrincipal } from '../../platform/http/access.ts'
import { answers, Component, EmptyBody, Id, Success, Timestamp } from '../../platform/http/envelope.ts'
import { cursorPage, CursorPage, CursorQuery, createCursors, readLimit } from '../../platform/lists/cursor-page.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { blockUser, unblockUser } from './blocks.ts'
import { listBlocks, type BlockedRow } from './blocks.queries.ts'

const ById = Type.Object({ id: Id })
const Block = Component('Block', { user_id: Type.Integer(), is_blocked: Type.Boolean() })
const Blocked = Component('BlockedPerson', { user: Person, created_at: Timestamp })
const CURSORS = createCursors('blocks', ['number', 'number'])

export function registerBlocksRoutes(app: App, deps: IdentityDeps): void {
  app.get('/api/v1/blocks', {
    config: { access: 'user' },
    schema: {
      operationId: 'listMyBlocks',
      summary: 'People you block, newest first',
      querystring: Type.Object({ ...CursorQuery }),
      response: answers(200, CursorPage(Blocked)),
    },
    handler: async (request) => {
      const limit = readLimit(request.query)
      const { userId } = requirePrincipal(request)
      const rows = await listBlocks(deps.db, { userId, after: CURSORS.read(request.query), limit: limit + 1 })
      const toCursor = ({ at, user_id }: BlockedRow) => CURSORS.write([at, user_id])
      return cursorPage(rows, limit, { toCursor, view: toBlocked, message: 'Blocked people' })
    },
  })

  app.post('/api/v1/users/:id/block', {
    config: { access: 'user', limits: ['block'] },
    schema: {
      operationId: 'blockUser',
      summary: 'Block a person; neither of you sees, can write to, or gets pushes about the other',
      params: ById,
      body: EmptyBody,
      response: answers(200, Success(Block), 404),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const answer = { message: 'Person blocked', view: () => ({ user_id: id, is_blocked: true }) }
      return write(deps, { request, reply }, answer, (work) => blockUser(work, id))
    },
  })

  app.delete('/api/v1/users/:id/block', {
    config: { access: 'user' },
    schema: {
      operationId: 'unblockUser',
      summary: 'Unblock a person; safe to repeat',
      params: ById,
      response: answers(200, Success(Block)),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const answer = { message: 'Person unblocked', view: () => ({ user_id: id, is_blocked: false }) }
      return write(deps, { request, reply }, answer, (work) => unblockUser(work, id))
    },
  })
}

function toBlocked(row: BlockedRow): Static<typeof Blocked> {
  return { user: toPerson(row), created_at: row.created_at.toISOString() }
}
