import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { Words } from '../../platform/http/text.ts'
import { readRange, readWords } from '../../platform/lists/listing.ts'
import * as words from '../../platform/shared/words.ts'
import type { NamedReport } from '../../marketplace/reports/reports.queries.ts'
import { toPeople } from '../products/products.views.ts'

export const Reporter = Type.Object({ user_id: Type.Integer(), username: Type.String() })

function defineReport<About extends TProperties, Reason extends string, Resolution extends string>(
  name: string,
  about: About,
  { reasons, resolutions }: { reasons: readonly Reason[]; resolutions: readonly Resolution[] },
) {
  return Component(name, {
    id: Type.Integer(),
    ...about,
    reporter: Nullable(Reporter),
    reason: Type.Enum(reasons),
    details: Nullable(Type.String()),
    status: Type.Enum(words.REPORT_STATUSES),
    assigned_to: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
    resolution: Type.Union([Type.Enum(resolutions), Type.Null()], { description: 'The action taken.' }),
    resolution_note: Nullable(Type.String()),
    resolved_by: Nullable(Type.Integer()),
    resolved_at: Nullable(Timestamp),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
}

export const ProductReport = defineReport(
  'ProductReport',
  { product_id: Type.Integer() },
  { reasons: words.REPORT_REASONS, resolutions: words.REPORT_RESOLUTIONS },
)

const Person = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  status: Type.Enum(words.USER_STATUSES),
  undecided_count: Type.Integer({ description: 'Reports about this person that are not decided.' }),
})

export const UserReport = defineReport(
  'UserReport',
  { user: Person },
  { reasons: words.USER_REPORT_REASONS, resolutions: words.USER_REPORT_RESOLUTIONS },
)

export function toProductReport(row: NamedReport<'product'>): Static<typeof ProductReport> {
  return { ...pickFields(ProductReport, row), ...toPeople(row), id: row.report_id }
}

export function toUserReport(row: NamedReport<'user'>): Static<typeof UserReport> {
  const { user_id: id, username, name, user_status: status, undecided_count } = row
  const user = { id, username, name, status, undecided_count }
  return { ...pickFields(UserReport, row), ...toPeople(row), id: row.report_id, user }
}

export function filtersBy(reasons: readonly string[]) {
  return { status: Type.Optional(Words(words.REPORT_STATUSES)), reason: Type.Optional(Words(reasons)) }
}

type Query = Parameters<typeof readRange>[0] & Static<TObject<ReturnType<typeof filtersBy>>>

export function readFilter<Reason extends string>(query: Query, reasons: readonly Reason[]) {
  const { from, to } = readRange(query)
  return {
    statuses: readWords(query.status, words.REPORT_STATUSES),
    reasons: readWords(query.reason, reasons),
    from,
    to,
  }
}
