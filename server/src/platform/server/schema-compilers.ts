import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { ERROR_ENVELOPE, ErrorEnvelope } from '../http/envelope.ts'
import { createValidatorCompiler } from '../http/validation.ts'

export type SchemaCompilers = {
  validator: FastifySchemaCompiler<TSchema>
  serializer: FastifySerializerCompiler<TSchema>
}

export function createSchemaCompilers(): SchemaCompilers {
  const validators = createValidatorCompiler()
  const serializers = SerializerSelector()({ [ERROR_ENVELOPE]: ErrorEnvelope })
  return {
    validator: once(
      (route) => validators(route),
      ({ schema, httpPart = '' }) => `${httpPart} ${JSON.stringify(schema)}`,
    ),
    serializer: once(
      (route) => serializers({ httpStatus: '', ...route }),
      ({ schema }) => JSON.stringify(schema),
    ),
  }
}

function once<Route, Compiled>(compile: (route: Route) => Compiled, keyOf: (route: Route) => string) {
  const compiled = new Map<string, Compiled>()
  return (route: Route): Compiled => {
    const key = keyOf(route)
    const known = compiled.get(key) ?? compile(route)
    compiled.set(key, known)
    return known
  }
}
