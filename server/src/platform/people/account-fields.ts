import { Type } from 'typebox'
import { Body, Nullable } from '../http/envelope.ts'
import { Line } from '../http/text.ts'
import { PASSWORD_LENGTH } from '../secrets/password-length.ts'
import { LANGUAGE_TAG, LANGUAGES } from '../shared/languages.ts'
import { ROLES, USER_STATUSES } from '../shared/words.ts'

/** What each answer with an account has. */
export const ACCOUNT = {
  id: Type.Integer(),
  user_id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum(ROLES),
  status: Type.Enum(USER_STATUSES),
}

export const Name = Line({ maxLength: 100 })
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'ASCII; international domains as xn--.',
})
export const Username = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  'x-fault': 'must have 1 to 64 letters, digits, dots, dashes or underscores',
})
const LENGTH = { minLength: PASSWORD_LENGTH.least, maxLength: PASSWORD_LENGTH.most }
/** Serves an account without rights. */
export const UserPassword = Type.String(LENGTH)
export const Password = Type.String({
  ...LENGTH,
  description: 'At least 12 characters for an administrator.',
})
export const CurrentPassword = Type.String({
  minLength: 1,
  maxLength: PASSWORD_LENGTH.most,
  description: 'Required to change your own password or address.',
})
export const Credentials = Body({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.most }),
})
export const Phone = Nullable(
  Type.String({ minLength: 1, maxLength: 40, pattern: '^[0-9+()/ .-]+$', 'x-fault': 'must be a telephone number' }),
)
export const City = Nullable(Line({ maxLength: 100 }))
export const LanguageTag = Type.String({
  maxLength: 35,
  pattern: LANGUAGE_TAG,
  'x-fault': 'must be the tag of a language, such as pt-BR',
  description: `A BCP 47 tag. Of its language pushes and mails are in ${LANGUAGES.join(', ')}; any other is taken as ${LANGUAGES[0]}.`,
})
export const SessionId = Type.String({
  maxLength: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  'x-fault': 'must be the id of a session',
})
