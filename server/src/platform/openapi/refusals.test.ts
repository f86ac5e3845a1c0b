import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { answers, Success } from '../http/envelope.ts'
import { listRefusals } from './refusals.ts'

const done = answers(200, Success(Type.Object({})))

function route(method: 'GET' | 'POST', url: string, rest: Partial<RouteOptions>): RouteOptions {
  return { method, url, handler: () => ({}), ...rest }
}

test.for([
  ['a public GET', route('GET', '/api/a', { config: { access: 'public' } }), []],
  ['a GET of signed-in people', route('GET', '/api/a', { config: { access: 'user' } }), [401]],
  ['a GET that needs a right', route('GET', '/api/a', { config: { access: 'users.contact' } }), [401, 403]],
  ['a GET of one record', route('GET', '/api/a/:id', { config: { access: 'public' } }), [422]],
  [
    'a GET with a query',
    route('GET', '/api/a', { config: { access: 'public' }, schema: { querystring: Type.Object({}) } }),
    [422],
  ],
  ['a GET that writes', route('GET', '/api/a', { config: { access: 'public', effect: 'write' } }), [422]],
  [
    'a POST with a body',
    route('POST', '/api/a', { config: { access: 'user' }, schema: { body: Type.Object({}) } }),
    [401, 409, 400, 413, 415, 422],
  ],
  ['a POST that accepts no key', route('POST', '/api/a', { config: { access: 'public', notIdempotent: 'why' } }), []],
] satisfies [string, RouteOptions, number[]][])('%s refuses as it must', ([, described, expected]) => {
  expect(listRefusals(described)).toEqual([...expected, 429, 500, 503])
})

test('the description cannot be made with a route that declares a refusal that follows', () => {
  const twice = {
    config: { access: 'user' as const },
    schema: { response: { ...done, ...answers(201, Type.Null(), 401) } },
  }
  expect(() => listRefusals(route('GET', '/api/a', twice))).toThrow('GET /api/a declares 401, which follows')
})
