import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { ERROR_ENVELOPE, ErrorEnvelope } from '../http/envelope.ts'
import { createValidatorCompiler } from '../http/validation.ts'

export type SchemaCompilers = {
  validator: FastifySchemaCompiler<TSchema>
  serializer: FastifySerializerCompiler<TSchema>
}

/** Compiles each schema at its first use; `isEager`, for tests: at once, and looks whether it is a schema. */
export function createSchemaCompilers(isEager = false): SchemaCompilers {
  const validators = createValidatorCompiler({ validateSchema: isEager })
  const serializers = SerializerSelector()({ [ERROR_ENVELOPE]: ErrorEnvelope })
  const when = isEager ? <Compiled>(compile: () => Compiled) => compile() : atFirstUse
  return {
    validator: once(
      (route) => when(() => validators(route)),
      ({ schema, httpPart = '' }) => `${httpPart} ${JSON.stringify(schema)}`,
    ),
    serializer: once(
      (route) => when(() => serializers({ httpStatus: '', ...route })),
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

function atFirstUse<Input, Output>(compile: () => (input: Input) => Output): (input: Input) => Output {
  let compiled: ((input: Input) => Output) | undefined
  return (input) => (compiled ??= compile())(input)
}
