// Slow: two seconds or more for the file.
import { describe, expect, test } from 'vitest'
import { directWorld } from '../../../test/support/direct-world.ts'
import { reportHealth } from './breaker.ts'
import { findProviderState } from './provider-state.queries.ts'

describe.for([
  ['has a character that no database holds', 'Bad\0Key'],
  ['is long', 'x'.repeat(50_000)],
  ['is half a character', 'Bad\ud800Key'],
])('a fault of our configuration whose reason %s halts', ([, reason]) => {
  test('Apple', async () => {
    const { service, apple } = await directWorld()
    apple.script([{ reason: reason as never, status: 403, times: 0 }])
    expect(await reportProbe(service, 'apns/swapbell/production')).toBe('halted')
  })

  test('Google', async () => {
    const { service, google } = await directWorld()
    const body = JSON.stringify({ error: 'invalid_grant', error_description: reason })
    google.script([{ match: 'token', answer: { status: 400, body }, times: 0 }])
    expect(await reportProbe(service, 'fcm/swapbell')).toBe('halted')
  })
})

type Service = Awaited<ReturnType<typeof directWorld>>['service']

async function reportProbe({ deps }: Service, name: string): Promise<string> {
  const inUse = deps.providers.find(({ provider }) => provider.name === name)!
  await reportHealth({ ...deps, ...inUse }, [await inUse.provider.probe()])
  const { breaker, halt_reason } = await findProviderState(deps.db, name)
  expect(halt_reason!.length).toBeLessThanOrEqual(500)
  return breaker
}
