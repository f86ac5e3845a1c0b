import type { ErrorObject } from 'ajv'

/** Each pattern has an error message, because people must not see patterns. */
export type Pattern = { pattern: string; 'x-fault': string }

export const NOT_BLANK: Pattern = { pattern: String.raw`\S`, 'x-fault': 'must not be blank' }

type Sentence = (params: Record<string, unknown>, schema: Record<string, unknown>) => string

const SENTENCES: Record<string, Sentence> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ type }) => `must be ${[type].flat().map(describeKind).join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of: ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`),
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'entry')}`),
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'entry')}`,
  uniqueItems: () => 'must not contain the same entry twice',
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  minimum: ({ limit }) => `must be ${String(limit)} or more`,
  maximum: ({ limit }) => `must be ${String(limit)} or less`,
  format: ({ format }) => FORMATS[String(format)] ?? 'does not have the required form',
  pattern: (_, schema) => (schema as Partial<Pattern>)['x-fault'] ?? 'does not have the required form',
  'x-plain-text': ({ sentence }) => String(sentence),
  anyOf: () => 'does not match any allowed form',
}

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address, such as ada@example.com',
  uri: 'must be a web address, such as https://example.com/page',
  date: 'must be a date (YYYY-MM-DD)',
  'date-time': 'must be a date and time, such as 2026-01-31T12:00:00Z',
}

const KINDS: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

export function toSentence({ keyword, params, parentSchema }: ErrorObject): string {
  const sentence = SENTENCES[keyword]
  return sentence?.(params as Record<string, unknown>, parentSchema ?? {}) ?? 'is not valid'
}

function describeKind(type: unknown): string {
  return KINDS[String(type)] ?? String(type)
}

function counted(limit: unknown, noun: string): string {
  const plural = noun === 'entry' ? 'entries' : `${noun}s`
  return `${String(limit)} ${limit === 1 ? noun : plural}`
}
