import { errors, type FieldErrors } from '../../platform/shared/errors.ts'
import type { Environment, Provider, TokenType } from './provider.ts'
import type { ProviderInUse, Providers } from './registry.ts'

/** In bytes; an index holds the token whole. */
export const LONGEST_TOKEN = 2_048

/**
 * The address that a phone names. Without a field the token's form tells its type, and one app or environment is the
 * only one.
 */
export type NamedAddress = {
  token: string
  tokenType?: TokenType | undefined
  app?: string | undefined
  environment?: Environment | undefined
}

/** Throws 422 that names the field, so that no phone provokes a halt by an address that is not configured. */
export function findOwner(providers: Providers, named: NamedAddress): Provider {
  const { token, tokenType } = named
  if (Buffer.byteLength(token) > LONGEST_TOKEN)
    throw errors.validation({ token: [`must have at most ${LONGEST_TOKEN} bytes`] })
  const ofType = providers.filter(({ instance }) => tokenType === undefined || instance.tokenType === tokenType)
  if (ofType.length === 0)
    throw refusal('token_type', [...new Set(providers.map(({ instance }) => instance.tokenType))])
  const [first, ...others] = ofType.filter((one) => one.provider.owns(token))
  if (first === undefined)
    throw errors.validation({ token: ['is not a push token of this service; one looks like ExponentPushToken[…]'] })
  const fitting = [first, ...others].filter(({ instance }) => instance.tokenType === first.instance.tokenType)
  const ofApp = choose(fitting, 'app', named.app)
  const [owner] = choose(ofApp, 'environment', named.environment)
  return owner.provider
}

/** The other address of a phone: of Expo's provider, where the phone's own is of another for phones. */
export function findFallback(
  providers: Providers,
  owner: Provider,
  token: string,
): { token: string; provider: string } {
  const [{ provider }] = providers
  if (Buffer.byteLength(token) > LONGEST_TOKEN)
    throw errors.validation({ fallback_token: [`must have at most ${LONGEST_TOKEN} bytes`] })
  if (!provider.owns(token)) throw errors.validation({ fallback_token: ['must be a push token of Expo'] })
  if (!hasFallback(providers, owner))
    throw errors.validation({ token: ['must be that of Apple or Google where fallback_token is that of Expo'] })
  return { token: provider.toStored?.(token) ?? token, provider: provider.name }
}

/** Whether a phone of this provider may be reached by the first one too, which is Expo's. */
export function hasFallback([first]: Providers, { name, platforms }: Provider): boolean {
  return name !== first.provider.name && platforms.some((platform) => first.provider.platforms.includes(platform))
}

type Some = readonly [ProviderInUse, ...ProviderInUse[]]

function choose(providers: readonly ProviderInUse[], field: 'app' | 'environment', named: string | undefined): Some {
  const values = [...new Set(providers.map(({ instance }) => instance[field]))]
  const isOnly = named === undefined && values.length === 1
  // Expo has one project, which has no name here.
  const [first, ...others] = providers.filter(
    ({ instance }) => isOnly || instance[field] === null || instance[field] === named,
  )
  if (first === undefined)
    throw refusal(
      field,
      values.filter((value) => value !== null),
    )
  return [first, ...others]
}

function refusal(field: string, allowed: readonly string[]): Error {
  const faults: FieldErrors = { [field]: [`must be one that is configured: ${allowed.join(', ')}`] }
  return errors.validation(faults)
}
