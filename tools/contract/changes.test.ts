// Slow: torture, the demonstration or the load.
import { describe, expect, test } from 'vitest'
import { breakingChanges, mayBreak } from './changes.ts'
import { describeApi } from './describe.ts'
import type { Description, Operation, Schema } from './description.ts'
import { sift } from './refused-before.ts'

const USERS = '/api/admin/v1/users'
const REGISTER = '/api/v1/register'
const SEND = '/api/admin/send-notification'

// The real description with three of its calls.
const { paths, ...rest } = await describeApi()
const old: Description = {
  ...rest,
  paths: { [USERS]: paths[USERS]!, [REGISTER]: paths[REGISTER]!, [SEND]: paths[SEND]! },
}

function changesAfter(change: (now: Description) => void): string[] {
  const now = structuredClone(old)
  change(now)
  return breakingChanges(old, now)
}

function at(now: Description, path: string, method: string): Operation {
  return now.paths[path]![method]!
}

function findBody(operation: Operation): Schema {
  return operation.requestBody!.content['application/json']!.schema!
}

function findComponent(now: Description, name: string): Schema {
  return now.components.schemas[name]!
}

describe('a change that breaks programs', () => {
  const BREAKING: [what: string, change: (now: Description) => void, found: string | RegExp][] = [
    ['a call that is gone', (now) => delete now.paths[USERS]!['get'], `GET ${USERS}: is gone`],
    ['an address that is gone', (now) => delete now.paths[USERS], `GET ${USERS}: is gone`],
    [
      'another name of a call',
      (now) => (at(now, USERS, 'get').operationId = 'findUsers'),
      `GET ${USERS}: is now called findUsers, not listUsers`,
    ],
    [
      'a token where none was needed',
      (now) => (at(now, REGISTER, 'post').security = [{ bearer: [] }]),
      `POST ${REGISTER}: now takes a token`,
    ],
    [
      'a field of an answer that is gone',
      (now) => delete findComponent(now, 'User').properties!['email'],
      `GET ${USERS}, 200.data[].email: is gone`,
    ],
    [
      'a field of an answer under another name',
      (now) => {
        const { email, ...properties } = findComponent(now, 'User').properties!
        findComponent(now, 'User').properties = { ...properties, email_address: email! }
      },
      `GET ${USERS}, 200.data[].email: is gone`,
    ],
    [
      'a field of an answer that may be absent',
      (now) => (findComponent(now, 'User').required = []),
      `GET ${USERS}, 200.data[].email: may now be absent`,
    ],
    [
      'a field of an answer that may be null',
      (now) => (findComponent(now, 'User').properties!['email']!.type = ['string', 'null']),
      `GET ${USERS}, 200.data[].email: may now be of the type null`,
    ],
    [
      'another status of success',
      (now) => {
        const { responses } = at(now, REGISTER, 'post')
        responses['200'] = responses['201']!
        delete responses['201']
      },
      `POST ${REGISTER}: no longer answers 201`,
    ],
    [
      'a new required field of a body',
      (now) => findBody(at(now, REGISTER, 'post')).required!.push('city'),
      `POST ${REGISTER}, body.city: is now required`,
    ],
    [
      'a field of a body that is refused',
      (now) => delete findBody(at(now, SEND, 'post')).properties!['promotional'],
      `POST ${SEND}, body.promotional: is gone`,
    ],
    [
      'a shorter text',
      (now) => (findBody(at(now, REGISTER, 'post')).properties!['name']!['maxLength'] = 10),
      `POST ${REGISTER}, body.name: maxLength is lower`,
    ],
    [
      'a longer password',
      (now) => (findBody(at(now, REGISTER, 'post')).properties!['password']!['minLength'] = 20),
      `POST ${REGISTER}, body.password: minLength is higher`,
    ],
    [
      'another type',
      (now) => (findBody(at(now, SEND, 'post')).properties!['title']!.type = 'integer'),
      `POST ${SEND}, body.title: no longer accepts the type string`,
    ],
    [
      'a narrower pattern',
      (now) => (findBody(at(now, SEND, 'post')).properties!['title']!.pattern = '^[a-z]+$'),
      `POST ${SEND}, body.title: has another pattern`,
    ],
    [
      'a value that is no longer accepted',
      (now) => {
        const order = at(now, USERS, 'get').parameters!.find(({ name }) => name === 'sort_order')!
        order.schema.enum = ['asc']
      },
      `GET ${USERS}, query parameter sort_order: no longer accepts "desc"`,
    ],
    [
      'a list that is one text with commas no longer',
      (now) => {
        const status = at(now, USERS, 'get').parameters!.find(({ name }) => name === 'status')!
        status.explode = true
      },
      `GET ${USERS}, query parameter status: no longer is one text with commas`,
    ],
    [
      'a value of a list that is no longer accepted',
      (now) => {
        const status = at(now, USERS, 'get').parameters!.find(({ name }) => name === 'status')!
        status.schema.items!.enum = ['active']
      },
      `GET ${USERS}, query parameter status[]: no longer accepts "banned"`,
    ],
    [
      'a parameter that is gone',
      (now) => {
        const operation = at(now, USERS, 'get')
        operation.parameters = operation.parameters!.filter(({ name }) => name !== 'search')
      },
      `GET ${USERS}, query parameter search: is gone`,
    ],
    [
      'a new required parameter',
      (now) => at(now, USERS, 'get').parameters!.push({ name: 'tenant', in: 'query', required: true, schema: {} }),
      `GET ${USERS}, query parameter tenant: is now required`,
    ],
    [
      'another envelope of refusals',
      (now) => delete findComponent(now, 'Error').properties!['request_id'],
      `GET ${USERS}, 401.request_id: is gone`,
    ],
  ]

  test.for(BREAKING)('is found: %s', ([, change, found]) => {
    expect(changesAfter(change)).toContain(found)
  })
})

describe('no program breaks', () => {
  const HARMLESS: [what: string, change: (now: Description) => void][] = [
    ['when nothing changes', () => undefined],
    [
      'by a new call',
      (now) => (now.paths['/api/v1/new'] = { get: { ...at(now, USERS, 'get'), operationId: 'getNew' } }),
    ],
    ['by a new field of an answer', (now) => (findComponent(now, 'User').properties!['nickname'] = { type: 'string' })],
    ['by a new optional field of a body', (now) => (findBody(at(now, REGISTER, 'post')).properties!['city'] = {})],
    [
      'by a new optional parameter',
      (now) => at(now, USERS, 'get').parameters!.push({ name: 'city', in: 'query', schema: { type: 'string' } }),
    ],
    ['by a longer text', (now) => (findBody(at(now, REGISTER, 'post')).properties!['name']!['maxLength'] = 500)],
    ['by a body that may also be null', (now) => (findBody(at(now, REGISTER, 'post')).type = ['object', 'null'])],
    [
      'by a value more of an enum',
      (now) => {
        for (const { schema } of at(now, USERS, 'get').parameters!) schema.enum?.push('other')
        findComponent(now, 'User').properties!['role']!.enum!.push('auditor')
      },
    ],
    [
      'by a text with commas that is shown as a list',
      (now) => {
        const search = at(now, USERS, 'get').parameters!.find(({ name }) => name === 'search')!
        Object.assign(search, { explode: false, schema: { type: 'array', items: { type: 'string' } } })
      },
    ],
    ['by other words', (now) => (at(now, USERS, 'get').responses = structuredClone(at(now, USERS, 'get').responses))],
  ]

  test.for(HARMLESS)('%s', ([, change]) => {
    expect(changesAfter(change)).toEqual([])
  })
})

test('a change that is listed as harmless is accepted, and an unused line of the list is named', () => {
  const changes = ['a: has another pattern', 'b: is gone']
  const [first, gone] = ['a: has another pattern', 'c: is gone']
  expect(sift(changes, [first, gone])).toEqual({ changes: ['b: is gone'], unused: [gone] })
})

test.for([
  ['0.2.0', '0.2.1', false],
  ['0.2.0', '0.3.0', true],
  ['0.2.0', '1.0.0', true],
  ['1.2.0', '1.3.0', false],
  ['1.2.0', '2.0.0', true],
  ['1.2.0', '0.9.0', false],
] as const)('after %s, may %s break programs? %s', ([before, after, allowed]) => {
  expect(mayBreak(before, after)).toBe(allowed)
})
