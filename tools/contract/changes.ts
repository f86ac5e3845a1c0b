import { compareSchemas } from './compare-schemas.ts'
import { listOperations, type Description, type Operation, type Parameter, type Response } from './description.ts'

/** The changes of the API that break programs written for the old one, each as a sentence that names the place. */
export function breakingChanges(old: Description, now: Description): string[] {
  const after = listOperations(now)
  return [...listOperations(old)].flatMap(([name, operation]) => {
    const other = after.get(name)
    if (other === undefined) return [`${name}: is gone`]
    return [
      ...compareCallers(name, operation, other),
      ...compareParameters(name, operation, other, { old, now }),
      ...compareBodies(name, operation, other, { old, now }),
      ...compareAnswers(name, operation, other, { old, now }),
    ]
  })
}

/**
 * Whether `now` may break what `old` promised, by semantic versioning: another major version, or before 1.0 another
 * minor one.
 */
export function mayBreak(old: string, now: string): boolean {
  const [oldMajor = 0, oldMinor = 0] = old.split('.').map(Number)
  const [major = 0, minor = 0] = now.split('.').map(Number)
  return major > oldMajor || (major === 0 && oldMajor === 0 && minor > oldMinor)
}

type Both = { old: Description; now: Description }

function compareCallers(name: string, old: Operation, now: Operation): string[] {
  return [
    ...(old.operationId === now.operationId
      ? []
      : [`${name}: is now called ${now.operationId}, not ${old.operationId}`]),
    ...(old.security?.length === 0 && now.security?.length !== 0 ? [`${name}: now takes a token`] : []),
  ]
}

function compareParameters(name: string, before: Operation, after: Operation, both: Both): string[] {
  const old = new Map((before.parameters ?? []).map((one) => [toKey(one), one]))
  const now = new Map((after.parameters ?? []).map((one) => [toKey(one), one]))
  const changed = [...old].flatMap(([key, one]) => {
    const other = now.get(key)
    const at = `${name}, ${key}`
    if (other === undefined) return [`${at}: is gone`]
    if (isList(one) && !isList(other)) return [`${at}: no longer is one text with commas`]
    const schema = isList(other) && !isList(one) ? { ...other.schema.items, type: 'string' } : other.schema
    return compareSchemas(one.schema, schema, { ...both, direction: 'input', at })
  })
  const required = [...now].filter(([key, one]) => one.required === true && old.get(key)?.required !== true)
  return [...changed, ...required.map(([key]) => `${name}, ${key}: is now required`)]
}

/** True for a list that is one text with commas: programs that send such a text still work. */
function isList({ schema, explode }: Parameter): boolean {
  return schema.type === 'array' && explode === false
}

function toKey(parameter: Parameter): string {
  return `${parameter.in} parameter ${parameter.name}`
}

function compareBodies(name: string, before: Operation, after: Operation, both: Both): string[] {
  const [old, now] = [before.requestBody, after.requestBody]
  if (now?.required === true && old?.required !== true) return [`${name}: now takes a body`]
  return Object.entries(old?.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const other = now?.content[type]
    if (other === undefined) return [`${name}: no longer takes ${type}`]
    return compareSchemas(schema, other.schema ?? {}, { ...both, direction: 'input', at: `${name}, body` })
  })
}

function compareAnswers(name: string, before: Operation, after: Operation, both: Both): string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    // All failures have one envelope, so an answer that is still a failure is compared with it.
    const other = after.responses[status]
    if (other === undefined) return status < '400' ? [`${name}: no longer answers ${status}`] : []
    const [old, now] = [findContent(response, both.old), findContent(other, both.now)]
    return Object.entries(old).flatMap(([type, { schema = {} }]) => {
      const found = now[type]
      if (found === undefined) return [`${name}, ${status}: no longer answers ${type}`]
      return compareSchemas(schema, found.schema ?? {}, { ...both, direction: 'answer', at: `${name}, ${status}` })
    })
  })
}

function findContent(response: Response | { $ref: string }, { components }: Description) {
  const found = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : response
  return found?.content ?? {}
}
