import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { watchRoutes } from './route-table.ts'

function registered(...operationIds: (string | undefined)[]): void {
  const app = Fastify()
  watchRoutes(app)
  for (const [index, operationId] of operationIds.entries())
    app.get(
      `/api/${index}`,
      { config: { access: 'public' }, schema: operationId === undefined ? {} : { operationId } },
      () => ({}),
    )
}

describe('the service does not start', () => {
  test('with a route that does not declare who may call it', () => {
    const app = Fastify()
    watchRoutes(app)
    expect(() => app.get('/api/a', () => ({}))).toThrow('GET /api/a does not declare its access.')
  })

  test.for([undefined, '', 'ListUsers', 'list_users', 'x', 'a'.repeat(41)])(
    'with a route whose operationId is %s',
    (operationId) =>
      expect(() => registered(operationId)).toThrow('GET /api/0 needs an operationId, such as listUsers.'),
  )

  test('with two routes of one operationId', () => {
    expect(() => registered('listUsers', 'getUser')).not.toThrow()
    expect(() => registered('listUsers', 'listUsers')).toThrow(
      'GET /api/1 has the operationId of another route: listUsers.',
    )
  })
})
