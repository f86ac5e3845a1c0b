import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { HOME } from '../records/home.queries.ts'

/** A provider that was configured before and is no longer, with what names it. */
type Unconfigured = { provider: string; hasWork: boolean; hasPhones: boolean }

/** Reads all phones where no live one names such a provider. */
export async function listUnconfigured(db: Db, configured: string[]): Promise<Unconfigured[]> {
  const { rows } = await sql<Unconfigured>`
    select p.provider, exists (select from work where home = ${HOME} and provider = p.provider) as "hasWork",
      exists (select from mobile_devices where provider = p.provider and removed_at is null) as "hasPhones"
    from provider_state p where p.provider <> all(${configured}::text[]) order by p.provider`.execute(db)
  return rows
}

/** Something waits for these providers, although they are not configured. */
export async function listUnconfiguredWithWork(db: Db, configured: string[]): Promise<string[]> {
  const { rows } = await sql<{ provider: string }>`
    select p.provider from provider_state p
    where p.provider <> all(${configured}::text[])
      and exists (select from work where home = ${HOME} and provider = p.provider)
    order by p.provider`.execute(db)
  return rows.map(({ provider }) => provider)
}
