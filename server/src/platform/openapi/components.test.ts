import { expect, test } from 'vitest'
import { hoistComponents, type JsonObject } from './components.ts'

function described(...schemas: JsonObject[]): JsonObject {
  const responses = Object.fromEntries(schemas.map((schema, index) => [200 + index, { schema }]))
  return { paths: { '/a': { get: { responses } } }, components: { schemas: {} } }
}

const pet = { 'x-component': 'Pet', type: 'object', properties: { name: { type: 'string' } } }
const reference = { $ref: '#/components/schemas/Pet' }

test('a named schema is listed once and referred to, wherever it is used', () => {
  const document = described(
    pet,
    { type: 'array', items: { ...pet, description: 'One of yours.' } },
    {
      ...pet,
      type: ['object', 'null'],
    },
  )
  hoistComponents(document)
  const { 'x-component': _, ...listed } = pet
  expect(document).toEqual({
    paths: {
      '/a': {
        get: {
          responses: {
            200: { schema: reference },
            201: { schema: { type: 'array', items: { ...reference, description: 'One of yours.' } } },
            202: { schema: { anyOf: [reference, { type: 'null' }] } },
          },
        },
      },
    },
    components: { schemas: { Pet: listed }, responses: {} },
  })
})

test('two different schemas of one name are a fault', () => {
  const other = { ...pet, properties: { name: { type: 'integer' } } }
  expect(() => hoistComponents(described(pet, other))).toThrow('The API has two different components named Pet.')
})
