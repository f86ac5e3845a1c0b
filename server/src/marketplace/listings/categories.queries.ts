import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

export type CategoryRow = { category_id: number; parent_id: number | null; slug: string; name: string }

/** The category, by id or slug, and those below it; empty when there is none. */
export async function listTree(db: Db, category: string): Promise<number[]> {
  const id = /^[1-9]\d{0,15}$/.test(category) ? Number(category) : null
  const { rows } = await sql<{ category_id: number }>`
    with recursive tree as (
      select category_id from categories where slug = ${category} or category_id = ${id}
      union
      select c.category_id from categories c join tree t on c.parent_id = t.category_id)
    select category_id from tree order by category_id`.execute(db)
  return rows.map((row) => row.category_id)
}

/** They are ordered by name. `listed` does not count the categories below. */
export async function listCategories(db: Db): Promise<(CategoryRow & { listed: number })[]> {
  const { rows } = await sql<CategoryRow & { listed: number }>`
    select c.category_id, c.parent_id, c.slug, c.name, coalesce(n.n, 0)::bigint as listed
    from categories c
    left join (
      select facets[2]::bigint as category_id, sum(n) as n from list_counts
      where list = 'listings' and facets[1] = 'true' group by 1) n using (category_id)
    order by c.name, c.category_id`.execute(db)
  return rows
}
