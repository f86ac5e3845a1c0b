import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createSchemaCompilers } from './schema-compilers.ts'

const route = { method: 'POST', url: '/a' }

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
