import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, ok, Success, Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { createPhoneCounts, changeShare, describeRollOuts, SHARES, type RollOutState, type Share } from './roll-outs.ts'

const ShareSchema = Type.Unsafe<Share>({ type: 'integer', enum: [...SHARES] })

const ToCount = Type.Integer({ minimum: 0 })

const WayView = Type.Object({
  provider: Type.String(),
  accepted: Type.Integer({ description: 'Handed over: of Expo, as its receipts say.' }),
  refused: Type.Integer({ description: 'Refused for good, for another reason than a phone that is gone.' }),
  gone: ToCount,
  opened: ToCount,
})

const RollOuts = Component('RollOuts', {
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

const URL = '/api/admin/roll-outs'

const Change = Body(
  { provider: Type.String({ minLength: 1, maxLength: 200 }), share: { ...ShareSchema, description: 'In percent.' } },
  { provider: 'apns/swapbell/production', share: 0 },
)

/** The routes roll out from Expo to Apple and Google, by share of phones (ADR 26). */
export function registerRollOutsRoutes(app: App, deps: PushDeps): void {
  const ground = { ...deps, countPhones: createPhoneCounts(deps) }
  registerRoute(app, `GET ${URL}`, {
    access: 'campaigns',
    operationId: 'listRollOuts',
    summary: 'By which provider phones with two addresses are reached, and what became of pushes by each',
    response: answers(200, Success(RollOuts)),
    handler: async () => ok({ roll_outs: await describeRollOuts(ground) }, 'Roll-outs'),
  })

  registerChange(app, deps, `POST ${URL}`, {
    access: 'campaigns',
    operationId: 'changeRollOut',
    summary: 'Change the share of phones with two addresses that one provider reaches',
    body: Change,
    response: answers(200, Success(RollOuts), 404),
    message: 'The share is changed',
    view: (roll_outs: RollOutState[]) => ({ roll_outs }),
    rule: async (work, { body }) => {
      await changeShare(work, deps.providers, body)
      return describeRollOuts({ ...ground, db: work.tx })
    },
  })
}
