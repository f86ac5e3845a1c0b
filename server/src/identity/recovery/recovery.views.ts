import { Type } from 'typebox'

/** What the link of a mail carries after `#token=`. */
export const MailToken = Type.String({
  minLength: 43,
  maxLength: 43,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-fault': 'must be the token from a mail',
})
