import { COPY, FACTS, PLACES, type Fact } from './ledger.ts'

/** Stands for none among tickets that are UUIDs. */
export const NO_TICKET = '00000000-0000-0000-0000-000000000000'

/** What is stored of the copy at `place`, which counts from 1. */
const byteOf = (fact: Fact) => `get_byte(held.facts, ${FACTS.indexOf(fact)} * n + place - 1)`
const wordOf = (fact: 'way' | 'code') => `held.words[${byteOf(fact)}]`
const momentOf = (fact: 'sent' | 'settled' | 'changed') => `held.moments[${byteOf(fact)}]`

/**
 * The copies of a person of `@home` of `@message`, as the view has them, without when the message was made: those in
 * the last batch that begins at or before the person. Nearly everyone has one copy, so the other places are read only
 * where a second was found. `offset 0`: by index for each person, also where no statistics say how many there are.
 */
export const COPIES = `
  select held.home, held.batch_id * ${PLACES} + place as notification_id, held.message_id,
    held.batch_id,
    @person as user_id, held.device_ids[place] as mobile_devices_id, held.created_at,
    greatest(${momentOf('changed')}, done.opened_at, shown.shown_at, shown.dismissed_at) as updated_at,
    ${momentOf('sent')} as sent_at, ${momentOf('settled')} as settled_at, done.opened_at, shown.shown_at,
    shown.dismissed_at, null::timestamptz as deleted_at, ${byteOf('attempts')}::smallint as attempts,
    ${byteOf('duplicates')}::smallint as possible_duplicates,
    ${byteOf('state')} in (${COPY.sent}, ${COPY.delivered}, ${COPY.undelivered}) as is_send,
    case ${byteOf('state')} when ${COPY.sent} then null when ${COPY.delivered} then true else false end as is_delivered,
    done.opened_at is not null as is_open,
    coalesce(nullif(held.long_tickets[place], ''), nullif(held.tickets[place], '${NO_TICKET}')::text) as ticket_id,
    ${wordOf('code')} as error_message, split_part(${wordOf('way')}, ' ', 1) as provider, ${wordOf('way')} as way
  from (
    select *, cardinality(device_ids) as n, set_byte('\\x00', 0, array_position(user_ids, @person) - 1) as owner
    from batches where home = @home and batches.message_id = @message and first_user <= @person
    order by first_user desc limit 1) held
  cross join lateral (select position(owner in substring(facts for n)) as first offset 0) found
  cross join lateral generate_series(nullif(first, 0),
    case when position(owner in substring(facts from first + 1 for n - first)) = 0 then first else n end) place
  left join reactions done on done.home = @home and done.user_id = @person and done.message_id = held.message_id
    and done.device_id = 0
  left join reactions shown on shown.home = @home and shown.user_id = @person and shown.message_id = held.message_id
    and shown.device_id = held.device_ids[place]
  where ${byteOf('owner')} = get_byte(owner, 0) offset 0`
