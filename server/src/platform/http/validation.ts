import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { errors } from '../shared/errors.ts'
import { toSentence } from './fault-sentences.ts'
import { createFaults, type Faults } from './faults.ts'
import { addTextKeyword } from './text.ts'

const MAX_DEPTH = 32

/** Converts nothing in bodies, and refuses everywhere what cannot be stored (decision A6). */
export function createValidatorCompiler({ validateSchema = true } = {}): FastifySchemaCompiler<TSchema> {
  const ajv = new Ajv({
    validateSchema,
    allErrors: true,
    // Errors then carry their schema with the sentence of the pattern.
    verbose: true,
    strict: false,
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: false,
  })
  addFormats.default(ajv)
  addTextKeyword(ajv)
  return ({ schema, httpPart }) => {
    const validate = ajv.compile(schema)
    return (value: unknown) => {
      const input = httpPart === 'body' ? (value ?? null) : readText(value as Record<string, unknown>, schema)
      const faults = createFaults()
      addUnsafeValues(faults, input)
      if (!faults.isFull()) addSchemaFaults(faults, validate, input)
      if (faults.isEmpty()) return { value: input }
      const { fields, hasMore } = faults.found()
      return { error: errors.validation(fields, { hasMore }) }
    }
  }
}

/** Queries and paths arrive as text. Text that is no integer or boolean stays text and fails. */
function readText(values: Record<string, unknown>, schema: TSchema): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      readOne(value, Object.hasOwn(properties, name) ? properties[name]?.type : undefined),
    ]),
  )
}

function readOne(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^-?(?:0|[1-9]\d{0,15})$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function addSchemaFaults(faults: Faults, validate: ValidateFunction, input: unknown): void {
  if (validate(input)) return
  for (const error of validate.errors ?? []) {
    if (faults.isFull()) return
    faults.add(findField(error), toSentence(error))
  }
}

function findField({ instancePath, params }: ErrorObject): string[] {
  // A JSON pointer: https://www.rfc-editor.org/rfc/rfc6901#section-4
  const path = instancePath.split('/').slice(1)
  const names = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string }
  const last = missingProperty ?? additionalProperty
  return last === undefined ? names : [...names, last]
}

/** Visits each value once and stops when `faults` is full. Changes `path` while it runs. */
function addUnsafeValues(faults: Faults, input: unknown, path: string[] = []): void {
  if (path.length > MAX_DEPTH) faults.add(path, 'is nested too deeply')
  else if (typeof input === 'number' && !isExact(input)) faults.add(path, 'is a number that is too large to be exact')
  else if (typeof input === 'string' && !isSafe(input)) faults.add(path, 'contains characters that are not text')
  else if (typeof input === 'object' && input !== null) addUnsafeFields(faults, input, path)
}

function addUnsafeFields(faults: Faults, input: object, path: string[]): void {
  for (const [key, value] of Object.entries(input)) {
    if (faults.isFull()) return
    if (isSafe(key)) {
      path.push(key)
      addUnsafeValues(faults, value, path)
      path.pop()
    } else faults.add(path, 'contains characters that are not text')
  }
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

function isSafe(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
