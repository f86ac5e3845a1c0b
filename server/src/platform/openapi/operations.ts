import type { RouteOptions } from 'fastify'
import { LIMITS } from '../config/request-limits.ts'
import { toErrorAnswers } from '../http/envelope.ts'
import { UNKNOWN_PARAMETERS } from '../http/parameters.ts'
import { WORDS } from '../http/text.ts'
import { patternOfText, type TextLayout } from '../shared/plain-text.ts'
import type { JsonObject } from './components.ts'
import { findMarks } from './docs-page.ts'
import { FAILURE_EXAMPLES } from './failure-examples.ts'
import { REQUEST_EXAMPLES } from './request-examples.ts'
import { isRepeatable, listRefusals } from './refusals.ts'
import { sample } from './sample.ts'

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Makes the call safe to repeat: for 24 h the same key and input get the same answer.',
}
const IF_MATCH = {
  type: 'string',
  minLength: 1,
  maxLength: 1_000,
  description:
    'The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412.',
}

export function describeRoute(route: RouteOptions): object {
  const { config: { access, effect = 'read', limits = [] } = {}, schema = {} } = route
  const declared: object = schema.response ?? {}
  const isVersioned = '412' in declared
  const sentences = [
    schema.description,
    calledBy(access ?? 'public'),
    ...limits.map(limited),
    isRepeatable(route) && 'You can repeat it safely with an `Idempotency-Key`.',
    isVersioned && 'With `If-Match` it changes the record only if it still has the version that you read.',
  ]
  const properties = {
    ...(schema.headers as { properties?: object } | undefined)?.properties,
    ...(isRepeatable(route) && { 'Idempotency-Key': IDEMPOTENCY_KEY }),
    ...(isVersioned && { 'If-Match': IF_MATCH }),
  }
  return {
    description: sentences.filter(Boolean).join('\n\n'),
    ...(Object.keys(properties).length > 0 && { headers: { type: 'object', properties } }),
    response: { ...declared, ...toErrorAnswers(listRefusals(route)) },
    security: access === 'public' ? [] : [{ bearer: [] }],
    'x-unknown-parameters': UNKNOWN_PARAMETERS[effect],
    ...findMarks(schema.operationId),
  }
}

function calledBy(access: string): string {
  if (access === 'public') return 'Anybody may call it.'
  return access === 'user' ? 'Anybody who is signed in may call it.' : `It requires the right \`${access}\`.`
}

function limited(name: keyof typeof LIMITS): string {
  const { calls, seconds, by } = LIMITS[name]
  return `By default, ${by === 'ip' ? 'an address' : 'an account'} may call it ${calls} times in ${seconds} s (\`${name}\`).`
}

const SUCCESSES: Record<string, string> = {
  200: 'It is done; `data` is the result.',
  201: 'It was created; `data` contains it.',
  202: 'It was accepted and stored. The work continues in the background.',
}

export const HEADERS = {
  RequestId: {
    description: 'Identifies this request in the service’s log. If you send an `X-Request-Id`, it is used.',
    required: true,
    schema: { type: 'string', maxLength: 64 },
    example: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  },
  ETag: {
    description: 'The version of the record, for `If-Match`.',
    schema: { type: 'string', pattern: '^"v[1-9][0-9]*"$' },
    example: '"v7"',
  },
  RateLimitPolicy: {
    description: 'The limits that counted this call: `q` calls in `w` seconds (IETF draft, RateLimit header fields).',
    schema: { type: 'string' },
    example: '"user";q=120;w=60',
  },
  RateLimit: {
    description: 'What remains of these limits: `r` calls in the next `t` seconds.',
    schema: { type: 'string' },
    example: '"user";r=119;t=42',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
}

/** Shows the rules of an operation's parameters as others read them. Changes `operation`. */
export function describeParameters(operation: JsonObject): void {
  for (const parameter of (operation['parameters'] ?? []) as JsonObject[]) {
    const schema = parameter['schema'] as JsonObject
    showPatterns(schema)
    const words = schema[WORDS]
    if (words === undefined) continue
    const schemaOfList = { type: 'array', minItems: 1, items: { enum: words } }
    Object.assign(parameter, {
      style: 'form',
      explode: false,
      schema: schemaOfList,
      example: (words as string[]).slice(0, 2),
    })
  }
}

export function describeBody(operation: JsonObject): void {
  const body = operation['requestBody'] as { required?: boolean; content?: Record<string, JsonObject> } | undefined
  const json = body?.content?.['application/json']
  if (body === undefined || json === undefined) return
  body.required = ![(json['schema'] as JsonObject)['type']].flat().includes('null')
  showPatterns(json)
  json['example'] ??= REQUEST_EXAMPLES[operation['operationId'] as string] ?? {}
}

/** The validator checks texts for people by a keyword of its own; others read the same rule as a pattern. */
function showPatterns(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const layout = (node as { 'x-plain-text'?: TextLayout })['x-plain-text']
  if (layout !== undefined) Object.assign(node, { pattern: patternOfText(layout) })
  for (const child of Object.values(node)) showPatterns(child)
}

export function describeAnswers(operation: JsonObject): void {
  for (const [status, response] of Object.entries(operation['responses'] as Record<string, JsonObject>)) {
    if (response['description'] === 'Default Response') response['description'] = SUCCESSES[status] ?? 'The answer.'
    response['headers'] = listHeaders(status, response)
    for (const media of Object.values((response['content'] ?? {}) as Record<string, JsonObject>)) {
      if (status in FAILURE_EXAMPLES) media['examples'] = FAILURE_EXAMPLES[status]!
      else {
        const example = sample(media['schema'] as JsonObject)
        if (example !== undefined) media['example'] = example
      }
    }
  }
}

function listHeaders(status: string, response: JsonObject): JsonObject {
  const names: Record<string, keyof typeof HEADERS> = {
    'X-Request-Id': 'RequestId',
    ...((status.startsWith('2') || status === '429') && {
      'RateLimit-Policy': 'RateLimitPolicy',
      RateLimit: 'RateLimit',
    }),
    ...(status.startsWith('2') && hasVersion(response) && { ETag: 'ETag' }),
    ...((status === '429' || status === '503') && { 'Retry-After': 'RetryAfter' }),
  }
  return Object.fromEntries(
    Object.entries(names).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  )
}

/** `write` then sends an ETag. */
function hasVersion(response: JsonObject): boolean {
  type Schema = { properties?: Record<string, Schema> }
  const content = response['content'] as Record<string, { schema?: Schema }> | undefined
  const data = content?.['application/json']?.schema?.properties?.['data']
  return data?.properties?.['version'] !== undefined
}
