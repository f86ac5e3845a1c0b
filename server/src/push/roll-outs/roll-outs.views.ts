import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import type { PairCounts } from '../records/way-counts.queries.ts'
import { SHARES, type RollOutState, type Share } from './roll-outs.ts'

/** A share in percent. */
export const ShareSchema = Type.Unsafe<Share>({ type: 'integer', enum: [...SHARES] })

const ToCount = Type.Integer({ minimum: 0 })

const WayView = Type.Object({
  provider: Type.String(),
  accepted: Type.Integer({ description: 'Handed over: of Expo, as its receipts say.' }),
  refused: Type.Integer({ description: 'Refused for good, for another reason than a phone that is gone.' }),
  gone: ToCount,
  opened: ToCount,
})

export const RollOuts = Component('RollOuts', {
  roll_outs: Type.Array(
    Type.Object({
      provider: Type.String(),
      from: Type.String({ description: 'The provider by which its other phones with two addresses are reached.' }),
      share: { ...ShareSchema, description: 'In percent of these phones.' },
      changed_at: Nullable({ ...Timestamp, description: 'The last change by a person; null: there was none.' }),
      changed_by: Nullable(Type.String({ description: 'Null: nobody, or a purged account.' })),
      returned_at: Nullable({
        ...Timestamp,
        description: 'When it ended by itself since that change, because too many phones were gone.',
      }),
      phones: Type.Integer({ description: 'Live phones with two addresses.' }),
      phones_native: Type.Integer({ description: 'Of these, those that are reached by this provider now.' }),
      phones_counted_at: { ...Timestamp, description: 'When these phones were counted: once a minute at most.' },
      ways: Type.Array(WayView, {
        description:
          'Pushes to phones with two addresses since the last change: by this provider, then by the other one.',
      }),
    }),
    { description: 'One for each configured provider of Apple and Google.' },
  ),
})

export function toRollOuts(states: RollOutState[]): Static<typeof RollOuts> {
  return {
    roll_outs: states.map(({ provider, from, rollOut, phones, natively, countedAt, ways }) => ({
      provider,
      from,
      share: (rollOut?.share ?? 0) as Share,
      changed_at: rollOut?.changed_at ?? null,
      changed_by: rollOut?.name ?? null,
      returned_at: rollOut?.returned_at ?? null,
      phones,
      phones_native: natively,
      phones_counted_at: countedAt,
      ways: ways.map(toWayView),
    })),
  }
}

function toWayView({ provider, accepted, refused, gone, opened }: PairCounts): Static<typeof WayView> {
  return { provider, accepted, refused, gone, opened }
}
