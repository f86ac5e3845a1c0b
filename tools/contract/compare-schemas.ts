import { resolved, listTypes, type Description, type Schema } from './description.ts'

/** The place of the schemas, and whether a caller sends or receives what they describe. */
type Place = { old: Description; now: Description; direction: 'input' | 'answer'; at: string }

const LOWER_BOUNDS = ['minLength', 'minItems', 'minimum', 'minProperties'] as const
const UPPER_BOUNDS = ['maxLength', 'maxItems', 'maximum', 'maxProperties'] as const

/**
 * How a schema changed so that programs written for the old one fail: an input that accepts less, an answer that
 * promises less. Further values of an enum in an answer are no such change: programs must expect them.
 */
export function compareSchemas(before: Schema, after: Schema, place: Place): string[] {
  const old = resolved(before, place.old)
  const now = resolved(after, place.now)
  if (listAlternatives(old) !== undefined || listAlternatives(now) !== undefined)
    return compareAlternatives(old, now, place)
  return [
    ...compareTypes(old, now, place),
    ...(place.direction === 'input' ? compareLimits(old, now, place) : []),
    ...compareProperties(old, now, place),
    ...(old.items && now.items ? compareSchemas(old.items, now.items, { ...place, at: `${place.at}[]` }) : []),
  ]
}

/** An input must keep every alternative; an answer must not get a new one. */
function compareAlternatives(old: Schema, now: Schema, place: Place): string[] {
  const [before, after] = [listAlternatives(old) ?? [old], listAlternatives(now) ?? [now]]
  const fits = (one: Schema, other: Schema) => compareSchemas(one, other, place).length === 0
  if (place.direction === 'input') {
    const lost = before.filter((one) => !after.some((other) => fits(one, other)))
    return lost.length > 0 ? [`${place.at}: no longer accepts ${lost.length} of its alternatives`] : []
  }
  const added = after.filter((other) => !before.some((one) => fits(one, other)))
  return added.length > 0 ? [`${place.at}: may now be something else`] : []
}

function listAlternatives({ anyOf, oneOf }: Schema): Schema[] | undefined {
  return anyOf ?? oneOf
}

function compareTypes(old: Schema, now: Schema, { direction, at }: Place): string[] {
  const [wide, narrow] = direction === 'input' ? [now, old] : [old, now]
  const allowed = listTypes(wide)
  const isAllowed = (type: string) => allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
  const lost = allowed.length === 0 ? [] : listTypes(narrow).filter((type) => !isAllowed(type))
  const faults = lost.map((type) =>
    direction === 'input' ? `${at}: no longer accepts the type ${type}` : `${at}: may now be of the type ${type}`,
  )
  if (allowed.length > 0 && listTypes(narrow).length === 0) faults.push(`${at}: lost its type`)
  return faults
}

function compareLimits(old: Schema, now: Schema, { at }: Place): string[] {
  const faults: string[] = []
  if (now.enum !== undefined) {
    const lost = old.enum?.filter((value) => !now.enum!.includes(value))
    if (lost === undefined) faults.push(`${at}: accepts only some values`)
    else for (const value of lost) faults.push(`${at}: no longer accepts ${JSON.stringify(value)}`)
  }
  if (now.const !== undefined && now.const !== old.const)
    faults.push(`${at}: accepts only ${JSON.stringify(now.const)}`)
  for (const name of ['pattern', 'format'] as const)
    if (now[name] !== undefined && now[name] !== old[name]) faults.push(`${at}: has another ${name}`)
  for (const name of LOWER_BOUNDS)
    if (findBound(now, name, -Infinity) > findBound(old, name, -Infinity)) faults.push(`${at}: ${name} is higher`)
  for (const name of UPPER_BOUNDS)
    if (findBound(now, name, Infinity) < findBound(old, name, Infinity)) faults.push(`${at}: ${name} is lower`)
  if (now.additionalProperties === false && old.additionalProperties !== false && listTypes(old).includes('object'))
    faults.push(`${at}: no longer accepts other fields`)
  return faults
}

function findBound(schema: Schema, name: string, absent: number): number {
  const bound = schema[name]
  return typeof bound === 'number' ? bound : absent
}

function compareProperties(old: Schema, now: Schema, place: Place): string[] {
  const before = old.properties ?? {}
  const after = now.properties ?? {}
  const faults = Object.entries(before).flatMap(([name, schema]) => {
    const at = `${place.at}.${name}`
    const other = after[name]
    if (other !== undefined) return compareSchemas(schema, other, { ...place, at })
    const isStillAllowed = place.direction === 'input' && now.additionalProperties !== false
    return isStillAllowed ? [] : [`${at}: is gone`]
  })
  const [must, mayBe] = place.direction === 'input' ? [now, old] : [old, now]
  const newly = (must.required ?? []).filter((name) => !(mayBe.required ?? []).includes(name))
  for (const name of newly)
    if (place.direction === 'input') faults.push(`${place.at}.${name}: is now required`)
    else if (name in after) faults.push(`${place.at}.${name}: may now be absent`)
  return faults
}
