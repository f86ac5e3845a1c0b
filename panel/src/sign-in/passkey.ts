import type { components } from '../../../client/src/schema.ts'
import { refusalInWords } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'

type Schemas = components['schemas']

// The library is loaded with the first passkey, so that the sign-in page stays small.
const library = () => import('@simplewebauthn/browser')

export function knowsPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis
}

/** Asks for a new passkey; throws a refusal in words. */
export async function makePasskey(optionsJSON: Schemas['PasskeyCreationOptions']) {
  const { startRegistration } = await library()
  const { id, response } = await startRegistration({ optionsJSON }).catch(throwInWords)
  const { clientDataJSON: client_data, attestationObject: attestation, transports = [] } = response
  return { id, client_data, attestation, transports: TRANSPORTS.filter((one) => transports.includes(one)) }
}

/** Asks one of the passkeys to sign; throws a refusal in words. */
export async function signByPasskey(optionsJSON: Schemas['PasskeyRequestOptions']) {
  const { startAuthentication } = await library()
  const { id, response } = await startAuthentication({ optionsJSON }).catch(throwInWords)
  const { clientDataJSON: client_data, authenticatorData: authenticator_data, signature } = response
  return { id, client_data, authenticator_data, signature }
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** The keys are the names that browsers give their errors. */
const SENTENCES: Readonly<Record<string, string>> = {
  AbortError: t('It was cancelled, or it took too long. Try again.'),
  NotAllowedError: t('It was cancelled, or it took too long. Try again.'),
  InvalidStateError: t('This device has a passkey of your account already.'),
}

function throwInWords(thrown: unknown): never {
  const name = thrown instanceof Error ? thrown.name : ''
  throw refusalInWords('BROWSER', SENTENCES[name] ?? t('This browser could not use a passkey here.'))
}
