import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { PLATFORMS } from '../../platform/shared/words.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import type { HaltedBy } from '../provider/provider-state.queries.ts'
import { isAboutToken, type ErrorCode } from '../provider/provider.ts'
import type { ProviderStatus, PushStatus } from './push-status.ts'
import { COUNTED_AT_MOST, type Queues } from './queues.queries.ts'

const BREAKER = {
  breaker: Type.Enum(['closed', 'open', 'half_open', 'halted']),
  code: Nullable(Type.String()),
  since: Nullable(Timestamp),
  retry_at: Nullable(Timestamp),
  halt: Nullable(
    Type.Object(
      {
        by: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
        reason: Type.String(),
      },
      {
        description:
          'A halt by hand and its start (`since`). `by` is null for an operator’s command or a purged account.',
      },
    ),
  ),
}

const Recent = Type.Object(
  {
    last_success_at: Nullable(Timestamp),
    requests: Type.Integer({ description: 'Of the last five minutes, up to 500.' }),
    failures: Type.Integer({ description: 'Of these requests: no push was accepted, for no fault of a phone.' }),
    last_failure: Nullable(
      Type.Object({ at: Timestamp, code: Type.String() }, { description: 'The last of these failures.' }),
    ),
  },
  { description: 'The latest answers. Null: the database could not tell in half a second.' },
)

const UNCOUNTED = 'Null: the database could not count all that waits within half a second each.'

const Waiting = Type.Object(
  {
    copies: Type.Integer({ minimum: 0 }),
    next_at: Nullable({
      ...Timestamp,
      description: 'When the first of them is due, which may be past; null: all wait for a paused platform.',
    }),
  },
  {
    description: `Copies that wait for this provider, most of them to be tried again, also of paused messages; counted in up to ${COUNTED_AT_MOST} pieces of work. ${UNCOUNTED}`,
  },
)

const Wait = Type.Object({
  reason: Type.Enum(['halted', 'away', 'busy', 'platform_paused'], {
    description:
      'Halted until somebody resumes; does not answer; asked for time; or refuses our credentials for a platform, or far too many of its tokens.',
  }),
  platform: Type.Unsafe<Platform | null>({ type: ['string', 'null'], enum: [...PLATFORMS, null] }),
  code: Nullable(Type.String({ description: 'What the provider says of that platform.' })),
  until: Nullable(Timestamp),
})

const QUEUE = {
  due: Type.Integer({ minimum: 0, maximum: COUNTED_AT_MOST, description: `Counted up to ${COUNTED_AT_MOST}.` }),
  oldest_seconds: Type.Integer({ minimum: 0, description: 'How long the oldest of them has been due; 0: none is.' }),
}

export const Status = Component('PushStatus', {
  ...BREAKER,
  rate_per_second: Type.Integer({ description: 'Of the first provider.' }),
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      delivery_known: Type.Enum(['at once', 'by receipt'], {
        description:
          'When a push counts as delivered: when the provider accepts it, or when its receipt says so. Either way it was handed to Apple, Google or the service of a browser.',
      }),
      rate_per_second: Type.Integer({ description: 'Of all processes together; 0: no pace.' }),
      ...BREAKER,
      waits: Type.Array(Wait, { description: 'Why pushes wait now; empty: they leave.' }),
      recent: Nullable(Recent),
      waiting: Nullable(Waiting),
    }),
    { description: 'All providers. The fields beside this list describe the first one.' },
  ),
  lanes: Nullable(
    Type.Array(Type.Object({ lane: Type.Enum(['transactional', 'campaign']), ...QUEUE }), {
      description: `Due batches of messages that are neither paused nor finished. ${UNCOUNTED}`,
    }),
  ),
  receipts: Nullable(
    Type.Object(QUEUE, { description: `Requests to the providers whose receipts are due. ${UNCOUNTED}` }),
  ),
  alerts: Type.Array(
    Type.Object({
      alert_id: Type.Integer(),
      code: Type.String(),
      detail: Type.String(),
      raised_at: Timestamp,
      last_seen_at: Timestamp,
      times: Type.Integer(),
      providers: Type.Array(Type.String(), { description: 'The providers concerned; empty: none.' }),
      resolved_at: Nullable(Timestamp),
    }),
  ),
})

/** The state of the first provider stands outside the list too. */
export function toStatus({ providers, alerts, queues }: PushStatus): Static<typeof Status> {
  const [first, ...others] = providers
  return {
    ...toBreaker(first),
    rate_per_second: first.ratePerSecond,
    providers: [toProvider(first), ...others.map(toProvider)],
    lanes: queues?.lanes.map(({ lane, ...queue }) => ({ lane, ...toQueue(queue) })) ?? null,
    receipts: queues === undefined ? null : toQueue(queues.receipts),
    alerts,
  }
}

function toQueue({ due, oldest }: Queues['receipts']) {
  return { due, oldest_seconds: Math.round(oldest) }
}

function toProvider(status: ProviderStatus) {
  const { name, deliveryKnown } = status.provider
  return {
    provider: name,
    delivery_known: deliveryKnown,
    rate_per_second: status.ratePerSecond,
    ...toBreaker(status),
    waits: status.waits.map((wait) => ({ platform: null, code: null, until: null, ...wait })),
    recent: status.recent ? toRecent(status.recent) : null,
    waiting: status.waiting ? { copies: status.waiting.copies, next_at: status.waiting.nextAt } : null,
  }
}

function toRecent({ lastSuccess, requests, failed }: NonNullable<ProviderStatus['recent']>) {
  const failures = failed.filter(({ code }) => !isAboutToken(code as ErrorCode))
  const [last] = failures
  return {
    last_success_at: lastSuccess,
    requests,
    failures: failures.reduce((sum, one) => sum + one.requests, 0),
    last_failure: last === undefined ? null : { at: new Date(last.last), code: last.code },
  }
}

function toBreaker({ state, halt }: ProviderStatus) {
  return {
    breaker: state.breaker,
    code: state.breaker_code,
    since: state.breaker_since,
    retry_at: state.retry_at,
    halt: halt === undefined ? null : { by: toPerson(halt), reason: halt.reason },
  }
}

function toPerson({ user_id, name }: HaltedBy) {
  return user_id === null || name === null ? null : { user_id, name }
}
