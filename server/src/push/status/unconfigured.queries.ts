import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { everyHome } from '../records/home.queries.ts'

/** A provider that was configured before and is no longer, with what names it. */
type Unconfigured = { provider: string; hasWork: boolean; hasPhones: boolean }

/** Reads all phones where no live one names such a provider. */
export async function listUnconfigured(db: Db, configured: string[]): Promise<Unconfigured[]> {
  const withWork = await listUnconfiguredWithWork(db, configured)
  const { rows } = await sql<Omit<Unconfigured, 'hasWork'>>`
    select p.provider,
      exists (select from mobile_devices where provider = p.provider and removed_at is null) as "hasPhones"
    from provider_state p where p.provider <> all(${configured}::text[]) order by p.provider`.execute(db)
  return rows.map((row) => ({ ...row, hasWork: withWork.includes(row.provider) }))
}

/** Something waits for these providers, although they are not configured. Servers of homes are asked for each. */
export async function listUnconfiguredWithWork(db: Db, configured: string[]): Promise<string[]> {
  const { rows } = await sql<{ provider: string }>`
    select provider from provider_state where provider <> all(${configured}::text[]) order by provider`.execute(db)
  const waiting: string[] = []
  for (const { provider } of rows) {
    const found = await sql`
      select 1 from work where home in ${everyHome(db)} and provider = ${provider} limit 1`.execute(db)
    if (found.rows.length > 0) waiting.push(provider)
  }
  return waiting
}
