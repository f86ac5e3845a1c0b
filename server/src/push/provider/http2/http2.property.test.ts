// Slow: black holes and silence take the time of the client to be found.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GoawayFault, Http2Fault } from '../../../../../simulator/src/http2/faults.ts'
import { http2World } from '../../../../test/support/http2.ts'

const when = fc.constantFrom('before' as const, 'after' as const)
const goaway = fc.record<GoawayFault>(
  {
    last: fc.constantFrom('below', 'at', 'above'),
    code: fc.constantFrom(0, 0, 2, 7, 11),
    lies: fc.constantFrom(false, false, false, true),
  },
  { requiredKeys: ['last'] },
)
const kind = fc.oneof(
  goaway.map((fault) => ({ kind: 'goaway' as const, ...fault })),
  fc.record({ kind: fc.constant('reset' as const), code: fc.constantFrom(0, 1, 2, 5, 7, 8, 11), when }),
  fc.record({ kind: fc.constant('half' as const), stays: fc.boolean() }),
  fc.record({ kind: fc.constant('hole' as const), when }),
  fc.record({ kind: fc.constant('cut' as const), by: fc.constantFrom('reset' as const, 'end' as const), when }),
  fc.record({ kind: fc.constant('slow' as const), ms: fc.nat(30) }),
  fc.record({ kind: fc.constant('silent' as const), when }),
  fc.record({ kind: fc.constant('limit' as const), streams: fc.constantFrom(0, 1, 2, 20, 100) }),
  fc.constant({ kind: 'no-tls' as const }),
  fc.record({ kind: fc.constant('slow-tls' as const), ms: fc.nat(50) }),
)
const fault: fc.Arbitrary<Http2Fault> = fc
  .tuple(kind, fc.record({ times: fc.integer({ min: 1, max: 20 }), every: fc.integer({ min: 1, max: 30 }) }))
  .map(([what, turns]) => ({ ...what, ...turns }))

const REQUESTS = 200

test('whatever the peer does, every request ends, and what is said of it is true', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(4),
      async (faults, streams, forbiddenOf5) => {
        await using world = await http2World({ streams, latencyMs: 2 }, { connections: 3 })
        world.double.script(faults)
        const began = world.now()
        const answers = await world.pass(
          Promise.all(
            Array.from({ length: REQUESTS }, async (_, n) =>
              world.send(`/${n}`, { isQuarantined: n % 3 === 0, mayBegin: async () => n % 5 >= forbiddenOf5 - 3 }),
            ),
          ),
        )
        expect(world.now() - began).toBeLessThan(30_000)
        const taken = new Map<string, number>()
        for (const path of world.log) taken.set(path, (taken.get(path) ?? 0) + 1)
        const times = (n: number) => taken.get(`/${n}`) ?? 0
        expect(answers.filter(({ kind: what }, n) => what === 'answered' && times(n) === 0)).toEqual([])
        const beyondOnce = answers.reduce(
          (sum, answer, n) => sum + Math.max(0, times(n) - (answer.kind === 'unsent' ? 0 : 1)),
          0,
        )
        expect(beyondOnce).toBeLessThanOrEqual(world.double.counts().liedAbout)
      },
    ),
    { numRuns: 15 },
  )
})
