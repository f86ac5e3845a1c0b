import type { Pool } from 'pg'

/** What became of copies, by provider. */
type Counts = { provider: string; accepted: number; delivered: number; failed: number; gone: number }

/** Compares the counters of each provider with the rows; gives a sentence for each that differs. */
export async function findProviderFaults(pool: Pool, messageIds: number[]): Promise<string[]> {
  const { rows } = await pool.query<{ provider: string; counted: Counts | null; actual: Counts | null }>(
    `with counted as (
       select provider, sum(accepted)::int as accepted, sum(delivered)::int as delivered, sum(failed)::int as failed,
         sum(gone)::int as gone
       from provider_counts where message_id = any($1) group by provider),
     actual as (
       select provider, count(*) filter (where is_send)::int as accepted,
         count(*) filter (where is_delivered)::int as delivered, count(*) filter (where has_failed)::int as failed,
         count(*) filter (where has_failed and error_message = 'DeviceNotRegistered')::int as gone
       from (
         select n.*, settled_at is not null and is_delivered is not true as has_failed
         from notifications n join messages m using (message_id)
         where message_id = any($1) and m.recipient_id is null) copies
       where is_send or settled_at is not null group by provider)
     select provider, to_jsonb(counted) as counted, to_jsonb(actual) as actual
     from counted full join actual using (provider) order by provider`,
    [messageIds],
  )
  return rows.flatMap(({ provider, counted, actual }) => {
    const none = { accepted: 0, delivered: 0, failed: 0, gone: 0, provider }
    const [is, shouldBe] = [counted, actual].map((counts) => JSON.stringify({ ...none, ...counts }))
    return is === shouldBe ? [] : [`the counters of ${provider} are ${is} and not ${shouldBe}`]
  })
}

/** The copies of a provider: those that it accepted, and how often one was sent again after an unknown outcome. */
type Sent = { provider: string; copies: number; sent: number; again: number }

export async function readSent(pool: Pool, messageIds: number[]): Promise<Sent[]> {
  const { rows } = await pool.query<Sent>(
    `select provider, count(*)::int as copies, count(*) filter (where is_send)::int as sent,
       sum(possible_duplicates)::int as again
     from notifications where message_id = any($1) group by provider order by provider`,
    [messageIds],
  )
  return rows
}

/** Gives a line of a report. */
export function describeSent(all: Sent[]): string {
  return all
    .map(({ provider, copies, sent, again }) => `${provider} ${sent} of ${copies}, ${again} possible duplicates`)
    .join('; ')
}
