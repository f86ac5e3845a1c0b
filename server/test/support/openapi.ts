import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { App } from '../../src/platform/http/routes.ts'

type Response = {
  description?: string
  headers?: Record<string, object>
  content?: Record<string, { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

export type Operation = {
  operationId: string
  summary?: string
  tags?: string[]
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema?: object; example?: unknown }> }
  responses: Record<string, Response | { $ref: string }>
}

export type ApiDocument = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    responses: Record<string, Response>
    securitySchemes: Record<string, object>
  }
}

/** The description of the API as it is served. */
export async function readDocument(app: App): Promise<ApiDocument> {
  const answer = await app.inject({ url: '/api/openapi.json' })
  return answer.json<ApiDocument>()
}

/** The operation of a route, by its address as the routes declare it. */
export function findOperation(document: ApiDocument, method: string, url: string): Operation | undefined {
  return document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}

/** What an operation answers with a status, wherever the document says it. */
export function findResponse(
  { components }: ApiDocument,
  operation: Operation | undefined,
  status: string | number,
): Response | undefined {
  const response = operation?.responses[status]
  if (response === undefined || !('$ref' in response)) return response
  return components.responses[response.$ref.replace('#/components/responses/', '')]
}

/**
 * A check of answers against the document: gives what is wrong with an answer. Unknown properties count as wrong, so
 * that no answer says more than is documented.
 */
export function createAnswerCheck(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...(sealed(document) as object) })
  const compiled = new Map<string, ValidateFunction>()

  return (
    route: { method: string; url: string },
    answer: { statusCode: number; type: string; body: unknown },
  ): string[] => {
    const operation = findOperation(document, route.method, route.url)
    const response = findResponse(document, operation, answer.statusCode)
    if (!response) return [`${answer.statusCode} is not documented`]
    const type = answer.type.split(';')[0] ?? ''
    if (!response.content?.[type]?.schema) return [`${answer.statusCode} ${type} is not documented`]
    if (type !== 'application/json') return []
    const ref = `openapi#/${pointerTo(document, route, answer.statusCode).map(escaped).join('/')}`
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref })
    compiled.set(ref, validate)
    return validate(answer.body)
      ? []
      : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`)
  }
}

/** The path in the document to the JSON schema of an answer. */
function pointerTo(document: ApiDocument, { method, url }: { method: string; url: string }, status: number): string[] {
  const path = url.replaceAll(/:(\w+)/g, '{$1}')
  const response = findOperation(document, method, url)!.responses[status]!
  const shared = '$ref' in response ? response.$ref.split('/').slice(1) : undefined
  const place = shared ?? ['paths', path, method.toLowerCase(), 'responses', String(status)]
  return [...place, 'content', 'application/json', 'schema']
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The document with every object schema closed, unless it says that it is open. */
function sealed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sealed)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => [key, sealed(value)] as const)
  const schema = Object.fromEntries(entries)
  const isClosable = 'properties' in schema && !('additionalProperties' in schema) && !('allOf' in schema)
  return isClosable ? { ...schema, additionalProperties: false } : schema
}
