import { errors, type FieldErrors } from '../../platform/shared/errors.ts'
import { displayName } from '../messages/shown-name.ts'

/** The sender's name is in quotation marks, and holds none: it cannot look like the service's words (decision B23). */
export function titleFrom(sender: { userId: number; name: string }, title: string): string {
  const name = displayName(sender.name)
  return `Join request from ${name === '' ? `user ${sender.userId}` : `“${name}”`}: ${title}`
}

// Phones make a link of a bare name too. A full stop without a space after it looks the same.
const WEB_ADDRESS = /:\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}-]*\p{L}{2}/u

export function refuseWebAddresses(words: Record<string, string>): void {
  const fields = Object.entries(words).filter(([, text]) => WEB_ADDRESS.test(text))
  const faults = fields.map(([field]) => [field, ['must not contain a web address']])
  if (faults.length > 0) throw errors.validation(Object.fromEntries(faults) as FieldErrors)
}
