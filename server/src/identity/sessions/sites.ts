import { createHmac } from 'node:crypto'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Config } from '../../platform/config/config.ts'
import { keyFrom } from '../../platform/secrets/encryption.ts'
import { toSite } from '../../platform/shared/networks.ts'

/** The network of the subscriber who calls. A connection that is closed already has no address: those share one. */
export function callerSite({ ip }: Actor): string {
  return toSite(ip ?? '')
}

type SiteOfAccount = { userId: number | null; site: string }

/** The mark reveals neither the address nor other accounts to who lacks the secret. */
export function siteMark({ JWT_SECRET }: Pick<Config, 'JWT_SECRET'>, { userId, site }: SiteOfAccount): string {
  return createHmac('sha256', keyFrom(JWT_SECRET, 'login site'))
    .update(`${userId} ${site}`)
    .digest('base64url')
    .slice(0, 22)
}
