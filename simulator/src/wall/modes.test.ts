// Slow: many costly requests, or long data.
import { describe, expect, it, vi } from 'vitest'
import { call, messages, send, simulatorFor } from '../../test/simulator.ts'
import { fetchWall } from '../../test/wall.ts'
import { MODES } from './modes.ts'

describe('a mode of the provider', () => {
  const phone = { to: 'ExponentPushToken[a]', title: 'A' }

  it.each([
    ['slow', 200, 1],
    ['lost-answer', 504, 1],
    ['down', 503, 0],
    ['refuses-credentials', 401, 0],
    ['dead-tokens', 200, 0],
    ['works', 200, 1],
  ] as const)(
    '%s answers a send with %i and accepts %i',
    async (mode, status, accepted) => {
      const simulator = await simulatorFor()
      expect(MODES).toContain(mode)
      const set = await call(`${simulator.url}/simulator/mode`, 'POST', { mode })
      expect(set.json).toMatchObject({ mode })
      const reply = await send(simulator, phone)
      expect([reply.status, simulator.log().length]).toEqual([status, accepted])
      expect((await fetchWall(simulator)).traffic).toMatchObject([
        { route: 'send', answer: status, accepted, requests: 1 },
      ])
    },
    20_000,
  )

  it('that never answers accepts nothing and lets its caller wait', async () => {
    const simulator = await simulatorFor()
    await call(`${simulator.url}/simulator/mode`, 'POST', { mode: 'silent' })
    const ended = send(simulator, phone).catch(() => 'cut')
    await vi.waitFor(async () =>
      expect((await fetchWall(simulator)).traffic).toMatchObject([{ accepted: 0, answer: 504, waitMs: 600_000 }]),
    )
    await simulator.close()
    expect(await ended).toBe('cut')
    expect(simulator.log()).toEqual([])
  })

  it('replaces the mode before, and keeps other steps of the script', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ match: 'getReceipts', status: 500 }])
    for (const mode of ['down', 'slow', 'dead-tokens']) await call(`${simulator.url}/simulator/mode`, 'POST', { mode })
    expect(simulator.state().scriptLeft).toHaveLength(2)
    expect((await send(simulator, phone)).tickets[0]).toMatchObject({ status: 'error' })
    await call(`${simulator.url}/simulator/mode`, 'POST', { mode: 'works' })
    expect(simulator.state().scriptLeft).toMatchObject([{ match: 'getReceipts' }])
  })

  it('that loses an answer is over after one request', async () => {
    const simulator = await simulatorFor()
    await call(`${simulator.url}/simulator/mode`, 'POST', { mode: 'lost-answer' })
    await send(simulator, phone)
    expect((await fetchWall(simulator)).mode).toBe('works')
    expect((await send(simulator, phone)).status).toBe(200)
  })

  it('is shown in the list of requests, where equal consecutive ones share a line', async () => {
    const simulator = await simulatorFor({ ratePerSecond: 0 })
    for (let count = 0; count < 5; count++)
      await send(
        simulator,
        messages(10).map((message, index) => ({ ...message, data: { notification_id: `${count}-${index}` } })),
      )
    await send(
      simulator,
      messages(1).map((message) => ({ ...message, data: { notification_id: '4-9' } })),
    )
    simulator.script([{ cut: 'before-read' }])
    await send(simulator, messages(1)).catch(() => undefined)
    expect((await fetchWall(simulator)).traffic).toMatchObject([
      { requests: 5, accepted: 50, copies: 0, answer: 200 },
      { requests: 1, accepted: 1, copies: 1, answer: 200 },
      { requests: 1, accepted: 0, answer: 'cut' },
    ])
  })
})
