import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { sendToEveryone } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'

test('three failures of four requests do not stop sending when an answer came between them', async ({
  service,
  given,
}) => {
  const redirect = {
    match: 'send',
    status: 302,
    headers: { location: 'https://elsewhere.example' },
    body: 'empty',
    accept: false,
  } as const
  await given.crowd(400)
  service.simulator.script([
    { ...redirect },
    { match: 'send', delayMs: 200 },
    { ...redirect, delayMs: 400 },
    { ...redirect, delayMs: 600 },
  ])
  await sendToEveryone(service)
  await drain(service)
  expect(service.simulator.state().sendRequests).toBe(4)
  const state = await service.deps.db.selectFrom('provider_state').selectAll().executeTakeFirstOrThrow()
  expect(state).toMatchObject({ breaker: 'closed', window_requests: 4, window_failures: 3 })
})
