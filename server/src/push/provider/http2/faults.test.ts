import { describe, expect, test } from 'vitest'
import { http2World } from '../../../../test/support/http2.ts'
import type { Http2Fault } from '../../../../../simulator/src/http2/faults.ts'

type Row = [what: string, faults: Http2Fault[], answer: object, taken: number]

const ANSWERED = { kind: 'answered', status: 200, isWhole: true }
const CUT_SHORT = { kind: 'answered', status: 200, isWhole: false }
const UNKNOWN = { kind: 'unknown' }
const REFUSED = { kind: 'unsent', why: 'refused' }
const WHEN = ['before', 'after'] as const
const TAKEN = { before: 0, after: 1 }

const ROWS: Row[] = [
  ['GOAWAY below the stream', [{ kind: 'goaway', last: 'below' }], ANSWERED, 1],
  ['GOAWAY at the stream', [{ kind: 'goaway', last: 'at' }], ANSWERED, 1],
  ['GOAWAY above the stream', [{ kind: 'goaway', last: 'above' }], ANSWERED, 1],
  [
    'GOAWAY below the stream, with an error',
    [{ kind: 'goaway', last: 'below', code: 11, reason: 'Calm' }],
    ANSWERED,
    1,
  ],
  ['GOAWAY at the stream, with an error', [{ kind: 'goaway', last: 'at', code: 11 }], UNKNOWN, 1],
  // Node gives the code of the GOAWAY to every stream of the connection.
  ['GOAWAY at the stream, with the code of a refusal', [{ kind: 'goaway', last: 'at', code: 7 }], UNKNOWN, 1],
  ['a GOAWAY that lies', [{ kind: 'goaway', last: 'below', lies: true }], ANSWERED, 2],
  ['a refused stream', [{ kind: 'reset', code: 7, when: 'before' }], ANSWERED, 1],
  ['a refused stream, twice', [{ kind: 'reset', code: 7, when: 'before', times: 2 }], REFUSED, 0],
  ['a refusal that lies', [{ kind: 'reset', code: 7, when: 'after' }], ANSWERED, 2],
  ...[0, 1, 2, 3, 5, 8, 11, 13].flatMap((code) =>
    WHEN.map((when): Row => [`RST_STREAM ${code} ${when}`, [{ kind: 'reset', code, when }], UNKNOWN, TAKEN[when]]),
  ),
  ...(['reset', 'end'] as const).flatMap((by) =>
    WHEN.map((when): Row => [`a TCP ${by} ${when}`, [{ kind: 'cut', by, when }], UNKNOWN, TAKEN[when]]),
  ),
  ...WHEN.map((when): Row => [`a black hole ${when}`, [{ kind: 'hole', when }], UNKNOWN, TAKEN[when]]),
  ...WHEN.map((when): Row => [`no answer ${when}`, [{ kind: 'silent', when }], UNKNOWN, TAKEN[when]]),
  ['half an answer, then the end', [{ kind: 'half' }], CUT_SHORT, 1],
  ['half an answer, then nothing', [{ kind: 'half', stays: true }], CUT_SHORT, 1],
]

describe.concurrent('a request that meets', () => {
  test.for(ROWS)('%s', async ([, faults, expected, taken]) => {
    await using world = await http2World()
    await world.send('/first')
    world.double.script(faults)
    expect(await world.pass(world.send('/asked'))).toMatchObject(expected)
    expect(world.log.filter((path) => path === '/asked')).toHaveLength(taken)
    expect(world.double.counts().liedAbout).toBe(Math.max(0, taken - 1))
  })
})
