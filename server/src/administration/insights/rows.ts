import type { AdministrationDeps } from '../deps.ts'
import type { Counted } from '../../platform/db/count.ts'
import type { Range } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { InsightName } from './catalogue.ts'
import { todayOf } from '../../platform/shared/days.ts'
import { keyOf } from './insights.ts'
import { countBehind, listBehind, type Behind, type RowBehind } from './rows.queries.ts'

export type Point = { name: InsightName; key: string; range: Range; window: number }

type Entity = (typeof ENTITIES)[keyof typeof ENTITIES]

/** Gives as many rows as the point counts (ADR 20), without those of people who were purged since. They hold ids and
 * times alone. */
export async function rowsBehind(
  deps: Pick<AdministrationDeps, 'db' | 'pool'>,
  point: Point,
  page: { perPage: number; offset: number },
): Promise<{ entity: Entity; rows: RowBehind[]; total: Counted }> {
  const { behind, entity } = behindOf(point)
  const [rows, total] = await Promise.all([listBehind(deps.db, behind, page), countBehind(deps, behind)])
  return { entity, rows, total }
}

const ENTITIES = {
  accounts: 'user',
  users: 'user',
  swaps: 'swap',
  products: 'product',
  messages: 'message',
} as const

function behindOf({ name, key, range, window }: Point): { behind: Behind; entity: Entity } {
  const { rows, unit } = keyOf(name, key)
  const entity = unit === 'pushes' || unit === 'ratio' ? 'user' : ENTITIES[unit]
  const { from, to } = range
  if (from === undefined) throw errors.validation({ start_date: ['is required'] })
  if (to === undefined) throw errors.validation({ end_date: ['is required'] })
  if ('events' in rows) return { behind: { of: rows.events, from, to }, entity }
  if ('accounts' in rows) return { behind: { of: 'accounts', state: rows.accounts, at: to }, entity }
  const lastDay = todayOf(new Date(to.getTime() - 1))
  const length = rows.last === 'window' ? window : rows.last
  const firstDay = length === undefined ? todayOf(from) : lastDay - length + 1
  return { behind: { of: rows.users, firstDay, lastDay, window }, entity }
}
