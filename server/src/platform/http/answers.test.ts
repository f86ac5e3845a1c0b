import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { answers, ok, Page, Success } from './envelope.ts'
import type { App } from './routes.ts'
import { write } from './write.ts'
import type { Deps } from '../../deps.ts'

const Thing = Type.Object({ id: Type.Integer(), name: Type.String(), city: Type.Optional(Type.String()) })
const one = { schema: { response: answers(200, Success(Thing), 404) } }
const page = { schema: { response: answers(200, Page(Thing)) } }
const made = { schema: { response: answers(201, Success(Thing), 409) } }

const view = ({ id, name }: { id: number; name: string }) => ({ id, name })
const rule = async () => ({ id: 1, name: 'Ada' })

/** Compiled and never run: `npm run types` fails when one of the marked lines is no error. */
export function registerFaultyRoutes(app: App, deps: Deps): void {
  app.get('/right', one, () => ok({ id: 1, name: 'Ada' }, 'Thing'))
  // @ts-expect-error: a field is missing
  app.get('/missing', one, () => ok({ id: 1 }, 'Thing'))
  // @ts-expect-error: a field is misspelt
  app.get('/misspelt', one, async () => ok({ id: 1, nmae: 'Ada' }, 'Thing'))
  // @ts-expect-error: a field has another type
  app.get('/type', one, async () => ok({ id: '1', name: 'Ada' }, 'Thing'))
  // @ts-expect-error: there is no envelope
  app.get('/bare', one, async () => ({ id: 1, name: 'Ada' }))
  // @ts-expect-error: a page is no single record
  app.get('/page', page, async () => ok([{ id: 1, name: 'Ada' }], 'Things'))
  // @ts-expect-error: a field is missing in what is sent
  app.post('/sent', made, async (_, reply) => reply.code(201).send(ok({ id: 1 }, 'Thing')))

  app.post('/write', made, async (request, reply) =>
    write(deps, { request, reply }, { status: 201, message: 'Made', view }, rule),
  )
  app.post('/write-missing', made, async (request, reply) =>
    // @ts-expect-error: the view leaves a field out
    write(deps, { request, reply }, { status: 201, message: 'Made', view: ({ id }) => ({ id }) }, rule),
  )
  app.post('/write-other', made, async (request, reply) =>
    // @ts-expect-error: the view is of another record
    write(deps, { request, reply }, { status: 201, message: 'Made', view }, async () => ({ id: 1 })),
  )
}

test('a handler whose answer differs from its schema does not compile', () => {
  expect(registerFaultyRoutes).toBeTypeOf('function')
})
