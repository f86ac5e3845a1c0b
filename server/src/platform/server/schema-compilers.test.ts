import { Type, type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { createSchemaCompilers } from './schema-compilers.ts'

const route = { method: 'POST', url: '/a' }

const WRONG = { type: 'nonsense' } as unknown as TSchema

const schema = () => Type.Object({ n: Type.Integer() })

test('equal schemas are compiled once, and those of a body apart from those of a query', () => {
  const { validator, serializer } = createSchemaCompilers()
  expect(serializer({ ...route, schema: schema() })).toBe(serializer({ ...route, url: '/b', schema: schema() }))
  expect(serializer({ ...route, schema: schema() })).not.toBe(serializer({ ...route, schema: Type.Object({}) }))
  const body = validator({ ...route, schema: schema(), httpPart: 'body' })
  expect(validator({ ...route, schema: schema(), httpPart: 'body' })).toBe(body)
  const query = validator({ ...route, schema: schema(), httpPart: 'querystring' })
  expect(query({ n: '1' })).toEqual({ value: { n: 1 } })
  expect(body({ n: '1' })).toMatchObject({ error: { status: 422 } })
})

test('a schema is compiled at its first use, and in tests at once, so that each start of an application finds a wrong one', () => {
  const { validator, serializer } = createSchemaCompilers()
  const validate = validator({ ...route, schema: WRONG, httpPart: 'body' })
  const serialize = serializer({ ...route, schema: WRONG })
  expect(() => validate({})).toThrow('nonsense')
  expect(() => serialize({})).toThrow('schema is invalid')
  const atOnce = createSchemaCompilers(true)
  expect(() => atOnce.validator({ ...route, schema: WRONG, httpPart: 'body' })).toThrow('schema is invalid')
  expect(() => atOnce.serializer({ ...route, schema: WRONG })).toThrow('schema is invalid')
})
