import texts from './es-faults.json' with { type: 'json' }

const VALUE = '{value}'
const KNOWN: Readonly<Record<string, string>> = texts

type Refused = { detail: string | undefined; fields: Record<string, string[]> }

/** A refusal whose faults are in Spanish. Only a refused call loads this. */
export function inSpanish<Refusal extends Refused>(refusal: Refusal): Refusal {
  const fields = Object.entries(refusal.fields).map(([field, faults]) => [field, faults.map(faultInSpanish)])
  const { detail } = refusal
  return {
    ...refusal,
    detail: detail === undefined ? undefined : faultInSpanish(detail),
    fields: Object.fromEntries(fields) as Refused['fields'],
  }
}

/** A sentence of the API about a field or a call, with its values; one that is not known stays as it is. */
export function faultInSpanish(sentence: string): string {
  if (Object.hasOwn(KNOWN, sentence)) return KNOWN[sentence] ?? sentence
  for (const [english, spanish] of Object.entries(KNOWN)) {
    const values = valuesIn(sentence, english)
    if (values !== undefined) return spanish.replaceAll(VALUE, () => values.shift() ?? '')
  }
  return sentence
}

/** What stands in a sentence in place of each value; undefined: it is another sentence. */
function valuesIn(sentence: string, known: string): string[] | undefined {
  const [before = '', ...others] = known.split(VALUE)
  if (others.length === 0 || !sentence.startsWith(before)) return undefined
  let place = before.length
  const values: string[] = []
  for (const [index, other] of others.entries()) {
    const isLast = index === others.length - 1
    const end = isLast ? sentence.length - other.length : sentence.indexOf(other, place)
    if (end <= place || !sentence.startsWith(other, end)) return undefined
    values.push(sentence.slice(place, end))
    place = end + other.length
  }
  return values
}
