import { describe, expect, it } from 'vitest'
import { call, messages, send, simulatorFor } from '../test/simulator.ts'

describe('control routes', () => {
  it('the log is one JSON line per accepted message, from the sequence asked for', async () => {
    const simulator = await simulatorFor({ ratePerSecond: 0 })
    await send(simulator, { to: 'ExponentPushToken[a]', data: { notification_id: 'n' }, collapseId: 'n', tag: 't' })
    for (let index = 0; index < 25; index++) await send(simulator, messages(100))
    const all = await call(`${simulator.url}/simulator/log`, 'GET')
    const lines = all.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual(simulator.log())
    expect(lines).toHaveLength(2501)
    expect(lines[0]).toEqual({
      provider: 'expo',
      sequence: 1,
      time: expect.any(Number),
      request: 1,
      notification_id: 'n',
      token: 'ExponentPushToken[a]',
      collapseId: 'n',
      tag: 't',
      ticket: expect.any(String),
    })
    const tail = await call(`${simulator.url}/simulator/log?since=2499`, 'GET')
    expect(
      tail.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).sequence),
    ).toEqual([2500, 2501])
    expect((await call(`${simulator.url}/simulator/log?since=2501`, 'GET')).text).toBe('')
    expect((await call(`${simulator.url}/simulator/log?since=x`, 'GET')).status).toBe(400)
  })

  it('the state counts requests, accepted and refused messages, duplicates and the script left', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ match: 'getReceipts', status: 500 }])
    await send(simulator, messages(3))
    await send(simulator, messages(2))
    await send(simulator, messages(101))
    await send(simulator, { to: 'ExponentPushToken[dead-1]' })
    const { json } = await call(`${simulator.url}/simulator/state`, 'GET')
    expect(json).toMatchObject({
      sendRequests: 4,
      receiptRequests: 0,
      acceptedMessages: 5,
      duplicates: 2,
      errorTickets: 1,
      refusedRequests: { PUSH_TOO_MANY_NOTIFICATIONS: 1 },
      refusedMessages: 101,
      rateLimited: 0,
      scriptLeft: [{ match: 'getReceipts', status: 500, taken: 0 }],
    })
  })

  it('a reset forgets the log, the counts, the script, the token rules and the clock', async () => {
    const simulator = await simulatorFor({ now: () => 1000 })
    const fresh = simulator.state()
    await send(simulator, messages(2))
    simulator.script([{ status: 500 }])
    simulator.setToken('ExponentPushToken[a]', { receipt: 'missing' })
    simulator.advance(5000)
    expect((await call(`${simulator.url}/simulator/reset`, 'POST')).status).toBe(200)
    expect(simulator.state()).toEqual(fresh)
    expect(simulator.log()).toEqual([])
  })

  it.each([
    ['/simulator/clock', { advanceMs: -1 }, 'advanceMs must be'],
    ['/simulator/clock', {}, 'advanceMs must be'],
    ['/simulator/tokens', { receipt: 'ok' }, '[0].token must be a string'],
    ['/simulator/tokens', { token: 't', receipt: 'soon' }, '[0].receipt must be'],
    ['/simulator/tokens', { token: 't', ticket: 'x' }, '[0].ticket is not a field'],
  ])('POST %s with %j is refused, naming the field', async (path, body, message) => {
    const simulator = await simulatorFor()
    const reply = await call(simulator.url + path, 'POST', body)
    expect([reply.status, reply.problem]).toEqual([400, expect.stringContaining(message)])
  })

  it('answers 404 to an unknown path and 405 to an unknown method', async () => {
    const simulator = await simulatorFor()
    expect((await call(`${simulator.url}/simulator/nothing`, 'GET')).status).toBe(404)
    expect((await call(`${simulator.url}/simulator/log`, 'DELETE')).status).toBe(405)
  })

  it('refuses control from pages of other sites', async () => {
    const simulator = await simulatorFor()
    await send(simulator, messages(1))
    const reply = await call(`${simulator.url}/simulator/reset`, 'POST', undefined, { origin: 'https://evil.example' })
    expect(reply.status).toBe(403)
    expect(simulator.log()).toHaveLength(1)
  })
})
