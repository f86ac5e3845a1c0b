import { randomUUID } from 'node:crypto'
import type { ReportReason, ReportStatus } from '../../src/platform/tables/marketplace-tables.ts'
import type { Deps } from '../../src/deps.ts'

/** A category of its own; gives its id. */
export async function givenCategory(
  { db }: Deps,
  { slug = randomUUID(), parentId = null }: { slug?: string; parentId?: number | null } = {},
): Promise<number> {
  const { category_id: categoryId } = await db
    .insertInto('categories')
    .values({ slug, name: slug, parent_id: parentId })
    .returning('category_id')
    .executeTakeFirstOrThrow()
  return categoryId
}

/** A stored report about a product; gives its id. */
export async function givenReport(
  { db, clock }: Deps,
  wishes: { productId: number; reporterId: number; reason?: ReportReason; status?: ReportStatus; at?: Date },
): Promise<number> {
  const at = wishes.at ?? new Date(clock.now())
  const { report_id: reportId } = await db
    .insertInto('product_reports')
    .values({
      product_id: wishes.productId,
      reporter_id: wishes.reporterId,
      reason: wishes.reason ?? 'scam',
      details: null,
      status: wishes.status ?? 'open',
      created_at: at,
      updated_at: at,
    })
    .returning('report_id')
    .executeTakeFirstOrThrow()
  return reportId
}
