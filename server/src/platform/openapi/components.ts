import { COMPONENT, ERROR_ANSWERS } from '../http/envelope.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** Moves schemas with a name (`Component`) and error answers into `components`. Changes `document`. */
export function hoistComponents(document: JsonObject): void {
  const components = document['components'] as { schemas: JsonObject; responses: JsonObject }
  components.responses ??= {}
  for (const operation of listOperations(document)) {
    const responses = operation['responses'] as JsonObject
    for (const [status, response] of Object.entries(responses)) {
      const [name] = ERROR_ANSWERS[Number(status)] ?? []
      if (name !== undefined) {
        define(components.responses, name, response)
        responses[status] = { $ref: `#/components/responses/${name}` }
      }
    }
  }
  document['paths'] = hoisted(document['paths']!, components.schemas)
}

export function listOperations(document: JsonObject): JsonObject[] {
  return Object.values(document['paths'] as JsonObject).flatMap((item) =>
    Object.values(item as JsonObject),
  ) as JsonObject[]
}

function hoisted(node: Json, schemas: JsonObject): Json {
  if (Array.isArray(node)) return node.map((item) => hoisted(item, schemas))
  if (typeof node !== 'object' || node === null) return node
  const { [COMPONENT]: name, ...rest } = node
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoisted(value, schemas)]))
  if (isOfTexts(inner)) inner['type'] = 'string'
  if (typeof name !== 'string') return inner
  // A component has no description of its own, so this one tells of this place.
  const { description, ...schema } = inner
  const reference = { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) }
  const mayBeNull = Array.isArray(schema['type']) && schema['type'].includes('null')
  define(schemas, name, mayBeNull ? { ...schema, type: 'object' } : schema)
  return mayBeNull ? { anyOf: [reference, { type: 'null' }] } : reference
}

/** True for a list of words whose schema does not say that they are texts. */
function isOfTexts({ type, enum: words }: JsonObject): boolean {
  return type === undefined && Array.isArray(words) && words.every((word) => typeof word === 'string')
}

function define(defined: JsonObject, name: string, value: Json): void {
  const known = defined[name]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value))
    throw new Error(`The API has two different components named ${name}.`)
  defined[name] = value
}
