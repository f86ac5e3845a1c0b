import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { errors, type FieldErrors } from '../shared/errors.ts'

const MAX_DEPTH = 32

/**
 * Installs validation: bodies exactly as they are (no coercion, unknown fields refused), query and path parameters read
 * from their text when a schema says integer or boolean; NUL, lone surrogates and numbers that cannot be kept refused in all of them (decision A6).
 */
export function installValidation(app: FastifyInstance): void {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: false,
  })
  addFormats.default(ajv)
  const compile: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
    const validate = ajv.compile(schema)
    return (value: unknown) => {
      const input = httpPart === 'body' ? (value ?? null) : readText(value as Record<string, unknown>, schema)
      const fields = { ...unsafeText(input), ...faultsOf(validate, input) }
      return Object.keys(fields).length > 0 ? { error: errors.validation(fields) } : { value: input }
    }
  }
  app.setValidatorCompiler(compile)
}

/** Integers and booleans of a query or path, which arrive as text; what does not read as one stays text and fails. */
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

function faultsOf(validate: ValidateFunction, input: unknown): FieldErrors {
  if (validate(input)) return {}
  // Without a prototype: a field may be called `constructor`.
  const fields = Object.create(null) as FieldErrors
  for (const error of validate.errors ?? []) (fields[fieldOf(error)] ??= []).push(sentenceOf(error))
  return fields
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const params = error.params as { missingProperty?: string; additionalProperty?: string }
  const last = params.missingProperty ?? params.additionalProperty
  return [path, last].filter((part) => part !== undefined && part !== '').join('.') || 'body'
}

function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a known field'
  const { allowedValues } = error.params as { allowedValues?: string[] }
  if (allowedValues) return `must be one of: ${allowedValues.join(', ')}`
  return error.message ?? 'is not valid'
}

/** The fields that cannot be stored as they are: NUL, lone surrogates, numbers out of range, at any depth, keys included. */
function unsafeText(input: unknown, path = '', depth = 0): FieldErrors {
  const field = path || 'body'
  if (depth > MAX_DEPTH) return { [field]: ['is nested too deeply'] }
  if (typeof input === 'number' && !isExact(input)) return { [field]: ['is a number too large to keep exactly'] }
  if (typeof input === 'string') return isSafe(input) ? {} : { [field]: ['holds characters that are not text'] }
  if (typeof input !== 'object' || input === null) return {}
  let found: FieldErrors = {}
  for (const [key, value] of Object.entries(input)) {
    if (!isSafe(key)) return { [field]: ['holds characters that are not text'] }
    found = { ...found, ...unsafeText(value, path === '' ? key : `${path}.${key}`, depth + 1) }
  }
  return found
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

function isSafe(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
