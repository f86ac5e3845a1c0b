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

/** A sentence of the API about a field, with its value; one that is not known stays as it is. */
export function faultInSpanish(sentence: string): string {
  if (Object.hasOwn(KNOWN, sentence)) return KNOWN[sentence] ?? sentence
  for (const [english, spanish] of Object.entries(KNOWN)) {
    const value = valueIn(sentence, english)
    if (value !== undefined) return spanish.replace(VALUE, () => value)
  }
  return sentence
}

/** What stands in a sentence in place of the value; undefined: it is another sentence. */
function valueIn(sentence: string, known: string): string | undefined {
  const [before, after] = known.split(VALUE)
  if (before === undefined || after === undefined) return undefined
  const isIt = sentence.startsWith(before) && sentence.endsWith(after)
  return isIt && sentence.length > known.length - VALUE.length
    ? sentence.slice(before.length, sentence.length - after.length)
    : undefined
}
