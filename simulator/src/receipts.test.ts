import { describe, expect, it } from 'vitest'
import { call, getReceipts, send, simulatorFor } from '../test/simulator.ts'
import type { Simulator } from './server.ts'

const HOUR_MS = 60 * 60 * 1000
/** The ticket id of a message that is accepted. */
async function ticketFor(simulator: Simulator, token: string): Promise<string> {
  const [ticket] = (await send(simulator, { to: token })).tickets
  expect(ticket?.status).toBe('ok')
  return ticket?.id ?? ''
}

const START = Date.parse('2026-11-21T08:00:00Z')

describe('getReceipts', () => {
  it('leaves out what is not ready, and what is older than 24 h', async () => {
    let now = START
    const simulator = await simulatorFor({ receiptDelayMs: 5000, now: () => now })
    const id = await ticketFor(simulator, 'ExponentPushToken[a]')
    const read = async () => (await getReceipts(simulator, [id])).receipts
    now = START + 4999
    expect(await read()).toEqual({})
    now = START + 5000
    expect(await read()).toEqual({ [id]: { status: 'ok' } })
    now = START + 24 * HOUR_MS - 1
    expect(await read()).toEqual({ [id]: { status: 'ok' } })
    now = START + 24 * HOUR_MS
    expect(await read()).toEqual({})
  })

  it('expires a receipt without waiting when the clock is moved on', async () => {
    const simulator = await simulatorFor()
    const id = await ticketFor(simulator, 'ExponentPushToken[a]')
    expect((await getReceipts(simulator, [id])).receipts).toHaveProperty(id)
    const moved = await call(`${simulator.url}/simulator/clock`, 'POST', { advanceMs: 24 * HOUR_MS })
    expect(moved.status).toBe(200)
    expect((await getReceipts(simulator, [id])).receipts).toEqual({})
  })

  it('answers at most 1000 ids', async () => {
    const simulator = await simulatorFor()
    const { status, code } = await getReceipts(simulator, Array<string>(1001).fill('x'))
    expect([status, code]).toEqual([400, 'PUSH_TOO_MANY_RECEIPTS'])
    expect((await getReceipts(simulator, Array<string>(1000).fill('x'))).json).toEqual({ data: {} })
  })

  it('leaves out ids that it never gave, also similar ones', async () => {
    const simulator = await simulatorFor()
    const id = await ticketFor(simulator, 'ExponentPushToken[a]')
    const near = [
      id.toUpperCase(),
      `${id.slice(0, -1)}2`,
      `${id.slice(0, -1)}0`,
      `${id}0`,
      `${id.slice(0, -2)}1x`,
      id.slice(0, -1),
      '__proto__',
      '',
    ]
    expect(
      (
        await getReceipts(
          simulator,
          near.filter((other) => other !== id),
        )
      ).json,
    ).toEqual({ data: {} })
  })

  it.each([
    ['gone-', { status: 'error', details: { error: 'DeviceNotRegistered' } }],
    ['rate-', { status: 'error', details: { error: 'MessageRateExceeded' } }],
    ['noreceipt-', undefined],
    ['proj-b:gone-', { status: 'error', details: { error: 'DeviceNotRegistered' } }],
    ['plain-', { status: 'ok' }],
  ])('treats a token that begins with %s as its name asks', async (prefix, receipt) => {
    const simulator = await simulatorFor()
    const id = await ticketFor(simulator, `ExponentPushToken[${prefix}1]`)
    const { receipts } = await getReceipts(simulator, [id])
    expect(receipts).toMatchObject(receipt ? { [id]: receipt } : {})
    expect(Object.keys(receipts)).toHaveLength(receipt ? 1 : 0)
  })

  it('applies a rule for a token instead of its name', async () => {
    const simulator = await simulatorFor()
    const set = await call(`${simulator.url}/simulator/tokens`, 'POST', [
      { token: 'ExponentPushToken[a]', ticketError: 'DeviceNotRegistered' },
      { token: 'ExponentPushToken[b]', receipt: 'error:MismatchSenderId' },
      { token: 'ExponentPushToken[dead-c]', receipt: 'ok' },
    ])
    expect(set.status).toBe(200)
    const to = ['ExponentPushToken[a]', 'ExponentPushToken[b]', 'ExponentPushToken[dead-c]']
    const [a, b, c] = (await send(simulator, { to })).tickets
    expect(a?.details.error).toBe('DeviceNotRegistered')
    const { receipts } = await getReceipts(simulator, [b?.id ?? '', c?.id ?? ''])
    expect(receipts[b?.id ?? '']?.details).toEqual({ error: 'MismatchSenderId', expoPushToken: to[1] })
    expect(receipts[c?.id ?? '']).toEqual({ status: 'ok' })
  })

  it.each([
    ['{', '"value" must be JSON'],
    ['[]', '"ids" is required'],
    ['{"ids":"x"}', '"ids" must be an array of strings'],
    ['{"ids":[7]}', '"ids" must be an array of strings'],
  ])('refuses %s as malformed', async (body, message) => {
    const simulator = await simulatorFor()
    const { status, json } = await call(`${simulator.url}/--/api/v2/push/getReceipts`, 'POST', body)
    expect({ status, json }).toEqual({ status: 400, json: { errors: [{ code: 'VALIDATION_ERROR', message }] } })
  })
})
