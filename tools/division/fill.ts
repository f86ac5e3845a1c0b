import type { Client } from 'pg'

/** `campaigns` to `people` neighbours, of whom each has a phone; `singles`: messages to one person each. */
export type Size = { people: number; campaigns: number; singles: number }

const NUMBERS = 100_000_000
/** The planes of facts after the owner: way, state, code, attempts, tries, round, doubles, sent, settled, changed. */
const DELIVERED = '01040001010100010202'

/** Rows of campaigns as the service leaves them. */
export async function fill(client: Client, { people, campaigns, singles }: Size): Promise<void> {
  await client.query(`
    create temp table batch as select n, array(select generate_series(n * 50 + 1, n * 50 + 50))::bigint[] as users,
      array(select gen_random_uuid() from generate_series(1, 50) where n >= 0) as tickets
    from generate_series(0, ${people} / 50 - 1) n;
    insert into unread (block, entries, lines, changed_at)
    select block, array_fill(${campaigns}, array[64]), array_fill(0, array[64]), now()
    from generate_series(0, ${people} / 64) block`)
  for (let n = 1; n <= campaigns; n++) await fillCampaign(client, n, people)
  await fillSingles(client, { people, singles })
  await client.query('analyze')
}

async function fillCampaign(client: Client, n: number, people: number): Promise<void> {
  const number = `${n * NUMBERS}::bigint`
  const id = `(${number} * 1024)`
  const opened = Math.ceil(people / 20)
  await client.query(`
    insert into messages (message_id, type, origin, audience, lane, needs_opt_in, title, body, status, cursor_user_id,
      last_user_id, coordinated_at, created_at, completed_at, expires_at, updated_at)
    values (${id}, 'promotional', 'bulk', 'all', 'campaign', true, 'Campaign ${n}', 'Hello', 'completed', ${people},
      ${people}, now(), now(), now(), now() + interval '2 days', now());
    insert into batches (batch_id, message_id, first_user, user_ids, device_ids, facts, tickets, words, moments,
      created_at)
    select ${number} + 1 + n, ${id}, users[1], users, users, ${toFacts(DELIVERED)}, tickets, '{expo ios}',
      array[now(), now()], now()
    from batch;
    insert into requests (provider, message_ids, batch_ids, sizes, places, rounds, started_at, lease_until, outcome,
      settled_at)
    select 'expo', array[${id}], ids, array_fill(50, array[count]),
      array(select place from generate_series(1, count), generate_series(0, 49) place),
      decode(repeat('01', 50 * count), 'hex'), now(), now(), 'accepted', now()
    from (select array_agg(${number} + 1 + n order by n) as ids, count(*)::int as count from batch group by n / 2) asked;
    insert into bulk_entries (block, message_id, made_at, members, reached)
    select block, ${id}, now(), decode(repeat('ff', 64), 'hex'), decode(repeat('ff', 64), 'hex')
    from generate_series(0, ${people} / 512) block;
    insert into reactions (user_id, message_id, made_at, read_at, opened_at)
    select u, ${id}, now(), now(), now() from generate_series(1, ${people}, 20) u;
    insert into message_counts (message_id, slot, selected, notified, notifications, sent, delivered, opened)
    values (${id}, 3, ${people}, ${people}, ${people}, ${people}, ${people}, ${opened});
    insert into provider_counts (message_id, slot, provider, accepted, delivered, opened)
    values (${id}, 3, 'expo', ${people}, ${people}, ${opened})`)
}

async function fillSingles(client: Client, { people, singles }: Omit<Size, 'campaigns'>): Promise<void> {
  await client.query(`
    create temp table single as
    select 1000 * ${NUMBERS}::bigint + 2 * n as number, 1 + n * 7919::bigint % ${people} as person
    from generate_series(1, ${singles}) n;
    insert into messages (message_id, type, origin, audience, lane, needs_opt_in, title, body, status, coordinated_at,
      created_at, expires_at, updated_at)
    select number * 1024, 'non_promotional', 'automatic', 'users', 'transactional', false, 'A swap', 'Hello',
      'completed', now(), now(), now(), now() from single;
    insert into batches (batch_id, message_id, first_user, user_ids, device_ids, facts, tickets, words, moments,
      created_at)
    select number + 1, number * 1024, person, array[person], array[person], decode('00${DELIVERED}', 'hex'),
      array[gen_random_uuid()], '{expo ios}', array[now(), now()], now() from single;
    insert into requests (provider, message_ids, batch_ids, sizes, places, rounds, started_at, lease_until, outcome,
      settled_at)
    select 'expo', array[number * 1024], array[number + 1], '{1}', '{0}', '\\x01', now(), now(), 'accepted', now()
    from single;
    insert into entries (user_id, message_id, made_at, is_listed, has_copy)
    select person, number * 1024, now(), true, true from single;
    insert into message_counts (message_id, slot, selected, notified, notifications, sent, delivered)
    select number * 1024, 0, 1, 1, 1, 1, 1 from single`)
}

/** Gives the facts of a batch of 50 copies in hexadecimal form. */
function toFacts(planes: string): string {
  const owners = Buffer.from([...Array(50).keys()]).toString('hex')
  const others = Array.from(planes.matchAll(/../g), ([byte]) => byte.repeat(50)).join('')
  return `decode('${owners}${others}', 'hex')`
}
