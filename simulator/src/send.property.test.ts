import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { acceptedAfter } from './ledger.ts'
import { isTooBig, readMailing } from './message.ts'
import { send } from './send.ts'
import { withDefaults } from './settings.ts'
import { createState } from './state.ts'
import { isPushToken } from './tokens.ts'

const token = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,22}$/).map((inside) => `ExponentPushToken[${inside}]`),
  fc.stringMatching(/^[a-z0-9]{1,9}$/).map((inside) => `ExponentPushToken[dead-${inside}]`),
  fc.string({ unit: 'binary' }),
)
const message = fc.record(
  {
    to: fc.oneof(token, fc.array(token, { minLength: 1, maxLength: 6 })),
    title: fc.string({ unit: 'binary' }),
    data: fc.dictionary(fc.string(), fc.jsonValue()),
    collapseId: fc.string(),
  },
  { requiredKeys: ['to'] },
)

const refused = (to: string) => !isPushToken(to) || to.includes('[dead-')

it('tickets come one per recipient, in order, and the log holds exactly the ok ones', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 16 }), (messages) => {
      const state = createState(withDefaults({ ratePerSecond: 0 }))
      const result = send(state, 1, JSON.stringify(messages))
      if ('refused' in result) throw new Error(`refused: ${result.refused.code}`)
      const tickets = result.tickets.map((ticket) => JSON.parse(ticket))
      const sent: string[] = JSON.parse(JSON.stringify(messages.flatMap(({ to }) => to)))
      expect(tickets).toHaveLength(sent.length)
      const accepted = [...acceptedAfter(state.ledger, 0)]
      expect(accepted.map((entry) => entry.token)).toEqual(sent.filter((to) => !refused(to)))
      const inTickets = tickets.map(({ id, details }) => id ?? details.expoPushToken)
      expect(inTickets).toEqual(sent.map((to) => (refused(to) ? to : accepted.shift()?.ticket)))
    }),
    { numRuns: 500 },
  )
})

it('the size of a payload is the bytes of its JSON without the recipients', () => {
  const large = fc.record({
    to: fc.constant('ExponentPushToken[a]'),
    data: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
    title: fc
      .tuple(fc.constantFrom('x', 'é', '"', '\u0001', '🙂'), fc.nat(4200))
      .map(([unit, count]) => unit.repeat(count)),
  })
  fc.assert(
    fc.property(large, (value) => {
      const mailing = readMailing(JSON.parse(JSON.stringify(value)))
      if ('status' in mailing) throw new Error('refused')
      const { to: _, ...payload } = JSON.parse(JSON.stringify(value))
      const [read] = mailing.messages
      expect(read && isTooBig(read)).toBe(Buffer.byteLength(JSON.stringify(payload)) > 4096)
    }),
    { numRuns: 500 },
  )
})
