import { Ajv } from 'ajv'
import { Type, type Static, type TObject, type TObjectOptions, type TOptional } from 'typebox'
import { LANGUAGES, type Language } from '../../platform/shared/languages.ts'

/** Words of each language that has some. */
export function byLanguage<Words extends TObject>(words: Words, options: TObjectOptions = {}) {
  const optional = Object.fromEntries(LANGUAGES.map((language) => [language, Type.Optional(words)]))
  return Type.Optional(Type.Object(optional as Record<Language, TOptional<Words>>, options))
}

const Words = Type.Object({ title: Type.String(), text: Type.String() })
const UserIds = Type.Array(Type.Integer(), { minItems: 1 })

const StoredSend = Type.Object({
  audience: Type.Union([
    Type.Object({ kind: Type.Enum(['all', 'sandbox']), upTo: Type.Optional(Type.Integer()) }),
    Type.Object({ kind: Type.Literal('users'), userIds: UserIds }),
  ]),
  content: Type.Object({
    ...Words.properties,
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  texts: byLanguage(Words),
  lane: Type.Enum(['transactional', 'campaign']),
  origin: Type.Enum(['bulk', 'named', 'system']),
  event: Type.Optional(Type.Literal('system')),
  isInboxOnly: Type.Optional(Type.Boolean()),
  recipients: Type.Integer(),
})

/** A send that waits, as it is stored. `recipients`: how many it reached at the time of the request. */
export type RequestedSend = Static<typeof StoredSend>

// TypeBox's own check is 300 modules, which every process of the API would load.
const isRequestedSend = new Ajv({ strict: false, meta: false, validateSchema: false }).compile<RequestedSend>(
  StoredSend,
)

/** A send as it was stored with its request. Throws for anything else, which is then not carried out. */
export function readRequestedSend(stored: unknown): RequestedSend {
  if (!isRequestedSend(stored)) throw new Error('A stored request for a send has another form.')
  return stored
}
