import { sql, type RawBuilder } from 'kysely'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'

/** SQL that is true when what `about` (a jsonb column with an `About`) tells of is over. */
export function isStale(about: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(case ${about} ->> 'kind'
    when 'swap' then not exists (
      select from swaps where swap_id = (${about} ->> 'swapId')::bigint and status = ${about} ->> 'status')
    when 'line' then not exists (
      select from swap_messages where swap_message_id = (${about} ->> 'messageId')::bigint and read_at is null)
    when 'join' then not exists (
      select from group_members
      where group_id = (${about} ->> 'groupId')::bigint and user_id = (${about} ->> 'userId')::bigint
        and status = 'pending')
    else false end
    or not ${notBlocked(sql`(${about} #>> '{between,0}')::bigint`, sql`(${about} #>> '{between,1}')::bigint`)})`
}
