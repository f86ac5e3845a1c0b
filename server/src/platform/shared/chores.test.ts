import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runChores } from './chores.ts'
import { createLog } from './log.ts'

test('a chore that fails is logged by name and does not starve the next; the run fails in the end', async () => {
  const lines = new PassThrough()
  const ran: string[] = []
  const run = runChores(createLog('info', lines), {
    'count swaps': async () => {
      await Promise.resolve()
      throw new Error('no table')
    },
    'end subscriptions': async () => void ran.push(await Promise.resolve('ended')),
    'tidy up': () => {
      throw new Error('at once')
    },
  })
  await expect(run).rejects.toThrow('These chores failed: count swaps, tidy up.')
  expect(ran).toEqual(['ended'])
  const logged = String(lines.read()).trim().split('\n')
  expect(logged.map((line) => (JSON.parse(line) as { chore: string }).chore)).toEqual(['count swaps', 'tidy up'])
})

test('chores that succeed log nothing', async () => {
  const lines = new PassThrough()
  await runChores(createLog('debug', lines), { one: () => Promise.resolve(1) })
  expect(lines.read()).toBeNull()
})
