import type { FieldErrors } from '../shared/errors.ts'

/** Faults that one answer names; more would make the answer larger than the request. */
const FAULTS_MAX = 20
const NAME_MAX = 120
const SENTENCE_MAX = 500

/** Where faults of a request are collected: one object for all of them, bounded in number and in size. */
export type Faults = {
  /** `name` is the path of the field, its parts in order; empty: the body itself. */
  add(name: readonly string[], sentence: string): void
  /** True when there is no room for another fault: looking for more is wasted. */
  isFull(): boolean
  isEmpty(): boolean
  /** The faults by field, and whether there were more than these. */
  found(): { fields: FieldErrors; hasMore: boolean }
}

export function createFaults(): Faults {
  // Without a prototype: a field may be called `constructor`.
  const fields = Object.create(null) as FieldErrors
  let count = 0
  return {
    add: (name, sentence) => {
      if (count++ >= FAULTS_MAX) return
      const sentences = (fields[nameOf(name)] ??= [])
      if (!sentences.includes(sentence)) sentences.push(shortened(sentence, SENTENCE_MAX))
    },
    isFull: () => count > FAULTS_MAX,
    isEmpty: () => count === 0,
    found: () => ({ fields, hasMore: count > FAULTS_MAX }),
  }
}

/** A field's name as an answer shows it: `data.link`. A body may hold names of 60 KB, 32 of them inside one another. */
function nameOf(parts: readonly string[]): string {
  const name = parts.map((part) => shortened(part, NAME_MAX)).join('.')
  return name === '' ? 'body' : shortened(name, NAME_MAX)
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`.toWellFormed()
}
