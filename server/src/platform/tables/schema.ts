import type { AccountTables } from './account-tables.ts'
import type { AuditTables } from './audit-tables.ts'
import type { MarketplaceTables } from './marketplace-tables.ts'
import type { OfficeTables } from './office-tables.ts'
import type { PeopleTables } from './people-tables.ts'
import type { ProviderTables } from './provider-tables.ts'
import type { PushTables } from './tables.ts'

export type Tables = MarketplaceTables &
  PeopleTables &
  AuditTables &
  OfficeTables &
  AccountTables &
  ProviderTables &
  PushTables
