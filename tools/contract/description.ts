/** JSON schema, as far as the comparison reads it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  pattern?: string
  format?: string
  [bound: string]: unknown
}

export type Parameter = { name: string; in: string; required?: boolean; explode?: boolean; schema: Schema }

type Content = Record<string, { schema?: Schema }>
export type Response = { content?: Content }

export type Operation = {
  operationId: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response | { $ref: string }>
}

export type Description = {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

/** The operations of a description by `METHOD path`. */
export function listOperations({ paths }: Description): Map<string, Operation> {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  return new Map(all)
}

/** A schema with its reference followed, and with `anyOf` and null written as a type that may be null. */
export function resolved(schema: Schema, description: Description): Schema {
  if (schema.$ref !== undefined) {
    const target = description.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (target === undefined) throw new Error(`${schema.$ref} leads nowhere.`)
    return resolved(target, description)
  }
  const [first, second, ...others] = schema.anyOf ?? []
  if (first === undefined || second?.type !== 'null' || others.length > 0) return schema
  const found = resolved(first, description)
  return { ...found, type: [...listTypes(found), 'null'] }
}

/** The types of a schema, also if only its values show them; none: any. */
export function listTypes(schema: Pick<Schema, 'enum'> & { type?: string | string[] | undefined }): string[] {
  const values = schema.enum ?? []
  const ofValues = values.every((value) => typeof value === 'string') ? ['string'] : []
  return schema.type === undefined ? (values.length > 0 ? ofValues : []) : [schema.type].flat()
}
