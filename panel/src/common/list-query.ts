import type { paths } from '../../../client/src/schema.ts'

export type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never

export type RowOf<Path extends keyof paths> = AnswerOf<Path> extends { data: (infer Row)[] } ? Row : never

export type SortOf<Query> = Query extends { sort_by?: infer Sort } ? NonNullable<Sort> : never

/** A choice that narrows a list: a parameter of its query, and values that this can have. */
export type Filter<Query> = {
  [Name in keyof Query & string]-?: {
    name: Name
    label: string
    options: readonly { value: ValueOf<NonNullable<Query[Name]>>; label: string }[]
  }
}[keyof Query & string]

type ValueOf<Value> = Value extends readonly (infer Word extends string)[]
  ? Word | `${Word},${Word}`
  : `${Value & (string | number | boolean)}`
