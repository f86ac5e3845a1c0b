import type { Config } from '../../platform/config/config.ts'
import { errors } from '../../platform/shared/errors.ts'

/** Passkeys belong to a host name, and to the origin of the pages that may use them. */
export type RelyingParty = { id: string; origin: string }

type PartySettings = Pick<Config, 'PANEL_ORIGIN' | 'NODE_ENV'>

/** The host of the request counts only outside of production. Undefined: no passkeys here (ADR 11). */
export function findRelyingParty({ PANEL_ORIGIN, NODE_ENV }: PartySettings, host: string): RelyingParty | undefined {
  if (PANEL_ORIGIN !== '') return { id: new URL(PANEL_ORIGIN).hostname, origin: PANEL_ORIGIN }
  const isTrial = NODE_ENV !== 'production' && /^localhost(?::\d{1,5})?$/.test(host)
  return isTrial ? { id: 'localhost', origin: new URL(`http://${host}`).origin } : undefined
}

/** 409 INVALID_STATE where passkeys cannot be used. */
export function theRelyingParty(config: PartySettings, host: string): RelyingParty {
  const party = findRelyingParty(config, host)
  if (party === undefined)
    throw errors.invalidState(
      'Passkeys do not work at this address. The setting PANEL_ORIGIN must name the origin of the panel.',
    )
  return party
}
