import type { FieldErrors } from '../shared/errors.ts'

/** More could make the answer larger than the request. */
const FAULTS_MAX = 20
const NAME_MAX = 120
const SENTENCE_MAX = 500

export type Faults = {
  add(name: readonly string[], sentence: string): void
  isFull(): boolean
  isEmpty(): boolean
  found(): { fields: FieldErrors; hasMore: boolean }
}

export function createFaults(): Faults {
  // It has no prototype, because a field may be called `constructor`.
  const fields = Object.create(null) as FieldErrors
  let count = 0
  return {
    add: (name, sentence) => {
      if (count++ >= FAULTS_MAX) return
      const sentences = (fields[toName(name)] ??= [])
      if (!sentences.includes(sentence)) sentences.push(shortened(sentence, SENTENCE_MAX))
    },
    isFull: () => count > FAULTS_MAX,
    isEmpty: () => count === 0,
    found: () => ({ fields, hasMore: count > FAULTS_MAX }),
  }
}

/** A body may hold names of 60 KB, nested 32 deep. */
function toName(parts: readonly string[]): string {
  const name = parts.map((part) => shortened(part, NAME_MAX)).join('.')
  return name === '' ? 'body' : shortened(name, NAME_MAX)
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`.toWellFormed()
}
