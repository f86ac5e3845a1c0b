import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { forwardedAddresses } from '../../server/src/platform/shared/networks.ts'
import { faultOfText } from '../../server/src/platform/shared/plain-text.ts'
import { test } from '../../server/test/support/all-routes.ts'
import { costlyRequests } from '../../server/test/support/costly-requests.ts'

/** No request of at most 64 KB may take more of the event loop than this. */
const COST_MAX_MS = 25
const TRIES = 9
// Above this the first try is repeated, and the median counts.
const SUSPECT_MS = COST_MAX_MS / 2

test(
  `a request of at most 64 KB takes ${COST_MAX_MS} ms of the event loop at most, on every route`,
  {
    timeout: 0,
  },
  async ({ service }) => {
    const costs: { name: string; ms: number }[] = []
    for await (const request of costlyRequests(service)) {
      const ms = await measureCost(request.send)
      if (ms > SUSPECT_MS) costs.push({ name: `${request.route} when ${request.what}`, ms })
    }
    const dearest = costs.toSorted((a, b) => b.ms - a.ms)
    for (const { name, ms } of dearest.slice(0, 10))
      process.stdout.write(`    ${ms.toFixed(1).padStart(8)} ms   ${name}\n`)
    expect(dearest.filter(({ ms }) => ms > COST_MAX_MS)).toEqual([])
  },
)

test(`no text takes more than ${COST_MAX_MS} ms to be read or logged`, { timeout: 0 }, async () => {
  const log = createLog('info', new PassThrough().resume())
  const readers = {
    forwardedAddresses: (piece: string) => forwardedAddresses(repeated(piece, 16_384)),
    faultOfText: (piece: string) => faultOfText(repeated(piece, 60_000), 'lines'),
    'a line of the log': (piece: string) => log.warn(repeated(piece, 60_000)),
  }
  const pieces = [
    ',',
    '1',
    ':',
    'f:',
    '1.',
    '[',
    '1.2.3.4:5,',
    'a%',
    '[::%',
    ' ',
    '\u200b',
    'a',
    '\n',
    '\r',
    '\u202e',
    '-',
  ]
  const tokens = ['aaaaaaaa-', 'aaaaaaaa-aaaa-', 'ExponentPushToken[', 'ExpoPushToken', 'Bearer ', 'Bearer\t\t']
  for (const [name, read] of Object.entries(readers))
    for (const piece of [...pieces, ...tokens])
      expect(await measureCost(async () => read(piece)), `${name} of ${JSON.stringify(piece)}`).toBeLessThan(
        COST_MAX_MS,
      )
})

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}

/** The median of nine tries in milliseconds, or the first try where that is far below the limit. */
async function measureCost(send: () => Promise<unknown>): Promise<number> {
  const first = await runOnce(send)
  if (first <= SUSPECT_MS) return first
  const times = [first]
  while (times.length < TRIES) times.push(await runOnce(send))
  return times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)]!
}

/**
 * CPU time of the thread, in milliseconds, so that other processes do not count; the time that passed where that is
 * less, because the CPU time of a thread is known to some milliseconds only.
 */
async function runOnce(send: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  const before = process.threadCpuUsage()
  await send()
  const { user, system } = process.threadCpuUsage(before)
  return Math.min(performance.now() - startedAt, (user + system) / 1_000)
}
