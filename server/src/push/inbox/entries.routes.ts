import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, EmptyBody, Id, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { nothing } from '../../platform/http/write.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { errors } from '../../platform/shared/errors.ts'
import { listEntries } from './entries.queries.ts'
import { ENTRY_KINDS, InboxItem } from './entries.views.ts'
import { toItem } from './inbox-items.ts'
import { archiveEntry, readAbout, readEntry, readUpTo, seeEntries, type EntryOfUser } from './reading.ts'

const CURSORS = createCursors('inbox', ['number', 'number'])
const ById = Type.Object({ message_id: Id })
const Left = Type.Object({ unread: Type.Integer({ description: 'Unread entries that are left.' }) })

/** Messages to a person, whether a phone rang or not (decision B25). Another's entry answers like a missing one. */
export function registerEntryRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/inbox', {
    access: 'user',
    tags: ['Inbox'],
    operationId: 'listInbox',
    summary: 'Your inbox, newest first: what was sent to you, also without a phone, in quiet hours or of a muted kind',
    querystring: Type.Object({
      state: Type.Optional(
        Type.Enum(['all', 'unread', 'archived'], { description: 'Default `all` but archived ones.' }),
      ),
      kind: Type.Optional(Type.Enum([...ENTRY_KINDS])),
      ...CursorQuery,
    }),
    response: answers(200, CursorPage(InboxItem)),
    handler: async (request) => {
      const { query } = request
      const { state = 'all', kind } = query
      const filter = { isUnread: state === 'unread', isArchived: state === 'archived', kind }
      const page = CURSORS.readPage(query)
      const rows = await listEntries(deps.db, request.caller.userId, filter, page)
      return CURSORS.writePage(rows, page, { keys: ['at', 'message_id'], view: toItem, message: 'Inbox' })
    },
  })

  registerMarks(app, deps)

  for (const [act, operationId, summary, change] of ACTS)
    registerChange(app, deps, `POST /api/v1/inbox/:message_id/${act}`, {
      access: 'user',
      tags: ['Inbox'],
      operationId,
      summary,
      body: EmptyBody,
      response: answers(200, Success(ById), 404),
      message: `Entry ${act === 'read' ? 'read' : 'archived'}`,
      view: ({ messageId }: EntryOfUser) => ({ message_id: messageId }),
      rule: (work, { caller, params }) => change(work, { userId: caller.userId, messageId: params.message_id }),
    })
}

function registerMarks(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/v1/inbox/read', {
    access: 'user',
    tags: ['Inbox'],
    operationId: 'readInbox',
    summary: 'Mark entries as read without opening them: all up to one, or all about a record',
    body: Body({
      up_to: Type.Optional({ ...Id, description: 'The `message_id` of an entry: it and all that came before.' }),
      subject: Type.Optional(
        Type.String({
          pattern: '^(?:swap|product|group):[1-9]\\d{0,15}$',
          'x-fault': 'must be a kind of record and its id, such as swap:7',
          description: 'A record, such as `swap:7`. Opening a swap or its chat does the same.',
        }),
      ),
    }),
    response: answers(200, Success(Left), 404),
    message: 'Entries read',
    view: (unread: number) => ({ unread }),
    rule: (work, request) => {
      const { userId } = request.caller
      const { up_to: messageId, subject } = request.body
      if ((messageId === undefined) === (subject === undefined))
        throw errors.validation({ up_to: ['give up_to or subject, and not both'] })
      return subject === undefined
        ? readUpTo(work, { userId, messageId: messageId ?? 0 })
        : readAbout(work, userId, subject)
    },
  })

  registerChange(app, deps, 'POST /api/v1/inbox/seen', {
    access: 'user',
    tags: ['Inbox'],
    operationId: 'seeInbox',
    summary: 'Mark what is in your inbox now as seen, because the app has shown the list',
    body: EmptyBody,
    response: answers(200, Success(Type.Object({}))),
    message: 'Entries seen',
    view: nothing,
    rule: (work, request) => seeEntries(work, request.caller.userId),
  })
}

const ACTS = [
  ['read', 'readInboxEntry', 'Mark an entry as read: its notifications count as opened', readEntry],
  ['archive', 'archiveInboxEntry', 'Take an entry out of the list, as read but not opened', archiveEntry],
] as const
