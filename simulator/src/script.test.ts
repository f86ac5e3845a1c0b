import { describe, expect, it } from 'vitest'
import { call, getReceipts, messages, send, simulatorFor } from '../test/simulator.ts'
import type { Simulator } from './server.ts'

const ONE = [{ to: 'ExponentPushToken[a]', data: { notification_id: 'n' } }]

/** The statuses of so many sends, one after the other; 0 = the connection was cut. */
async function statuses(simulator: Simulator, count: number): Promise<number[]> {
  const seen = []
  for (let index = 0; index < count; index++) {
    seen.push(
      await send(simulator, ONE).then(
        ({ status }) => status,
        () => 0,
      ),
    )
  }
  return seen
}

/** The statuses of 300 sends of which about 10 % are scripted to fail. */
async function tenPercent(seed: number): Promise<number[]> {
  const simulator = await simulatorFor({ ratePerSecond: 0 })
  simulator.script([{ status: 504, probability: 0.1, seed, times: 0 }])
  return statuses(simulator, 300)
}

describe('which requests a step takes', () => {
  it('applies to one request, unless told how many', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ status: 500 }, { status: 503, times: 2 }])
    expect(await statuses(simulator, 5)).toEqual([500, 503, 503, 200, 200])
    expect(simulator.state().scriptLeft).toEqual([])
  })

  it('stays until the script is reset with times 0', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ status: 500, times: 0 }])
    expect(await statuses(simulator, 4)).toEqual([500, 500, 500, 500])
    expect((await call(`${simulator.url}/simulator/script`, 'DELETE')).status).toBe(200)
    expect(await statuses(simulator, 1)).toEqual([200])
  })

  it('takes every nth request', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ status: 504, every: 3, times: 2 }])
    expect(await statuses(simulator, 10)).toEqual([200, 200, 504, 200, 200, 504, 200, 200, 200, 200])
  })

  it('takes a share of the requests, the same ones for the same seed', async () => {
    const [first, again, other] = [await tenPercent(7), await tenPercent(7), await tenPercent(8)]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    const share = first.filter((status) => status === 504).length / 300
    expect(share).toBeGreaterThan(0.04)
    expect(share).toBeLessThan(0.18)
  })

  it('takes only the route it names', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ match: 'getReceipts', status: 500 }])
    expect((await send(simulator, ONE)).status).toBe(200)
    expect((await getReceipts(simulator, [])).status).toBe(500)
    expect((await getReceipts(simulator, [])).status).toBe(200)
  })
})

describe('failures of a whole request', () => {
  it.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [429, 'TOO_MANY_REQUESTS'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ])('answers %i in the errors form and accepts nothing', async (status, code) => {
    const simulator = await simulatorFor()
    simulator.script([{ status, headers: { 'Retry-After': '7' } }])
    const reply = await send(simulator, ONE)
    expect([reply.status, reply.code, reply.headers.get('retry-after')]).toEqual([status, code, '7'])
    expect(simulator.log()).toEqual([])
  })

  it.each([502, 503, 504])('answers %i in HTML, as a gateway does', async (status) => {
    const simulator = await simulatorFor()
    simulator.script([{ status }])
    const reply = await send(simulator, ONE)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/html; charset=UTF-8'])
    expect(simulator.log()).toEqual([])
  })

  it('accepts, logs and then answers the failure when told to', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ status: 504, accept: true }])
    expect(await statuses(simulator, 2)).toEqual([504, 200])
    expect(simulator.log().map((entry) => entry.notification_id)).toEqual(['n', 'n'])
    expect(simulator.state().duplicates).toBe(1)
  })

  it('answers the errors it is given, also with status 200', async () => {
    const simulator = await simulatorFor()
    const errors = [{ code: 'InvalidCredentials', message: 'revoked' }]
    simulator.script([{ errors }, { errors, status: 403 }])
    const [plain, forbidden] = [await send(simulator, ONE), await send(simulator, ONE)]
    expect([plain.status, plain.json]).toEqual([200, { errors }])
    expect([forbidden.status, forbidden.json]).toEqual([403, { errors }])
  })

  it('still refuses what the protocol refuses when a step would accept it', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ status: 504, accept: true }])
    expect((await send(simulator, messages(101))).code).toBe('PUSH_TOO_MANY_NOTIFICATIONS')
  })
})

describe('tickets and receipts', () => {
  it('puts error codes into tickets by index or token and accepts the others', async () => {
    const simulator = await simulatorFor()
    const ticketErrors = { 0: 'MessageTooBig', 'ExponentPushToken[phone-2]': 'DeviceNotRegistered' }
    simulator.script([{ ticketErrors }])
    const { tickets } = await send(simulator, messages(4))
    expect(tickets).toMatchObject([
      { status: 'error', details: { error: 'MessageTooBig' } },
      { status: 'ok' },
      { status: 'error', details: { error: 'DeviceNotRegistered' } },
      { status: 'ok' },
    ])
    expect(simulator.log().map((entry) => entry.notification_id)).toEqual(['n-1', 'n-3'])
  })

  it('decides the receipts of what a send accepts: missing, 20 minutes late, or an error', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ receipts: 'missing' }, { receipts: 'late' }, { receipts: 'error:InvalidCredentials' }])
    const ids: string[] = []
    for (let index = 0; index < 3; index++) ids.push((await send(simulator, ONE)).tickets[0]?.id ?? '')
    const [missing = '', late = '', failed = ''] = ids
    const before = (await getReceipts(simulator, ids)).receipts
    expect(Object.keys(before)).toEqual([failed])
    expect(before[failed]?.details.error).toBe('InvalidCredentials')
    simulator.advance(20 * 60 * 1000)
    const after = (await getReceipts(simulator, ids)).receipts
    expect(after[late]).toEqual({ status: 'ok' })
    expect(after).not.toHaveProperty(missing)
  })

  it('can hide or fail the receipts of one answer alone', async () => {
    const simulator = await simulatorFor()
    const id = (await send(simulator, ONE)).tickets[0]?.id ?? ''
    simulator.script([
      { match: 'getReceipts', receipts: 'missing' },
      { match: 'getReceipts', receipts: 'error:ExpoError' },
    ])
    expect((await getReceipts(simulator, [id])).receipts).toEqual({})
    expect((await getReceipts(simulator, [id])).receipts[id]?.details.error).toBe('ExpoError')
    expect((await getReceipts(simulator, [id])).receipts[id]).toEqual({ status: 'ok' })
  })
})

describe('a faulty script', () => {
  it.each([
    [[{ stauts: 500 }], 'steps[0].stauts is not a field of a step'],
    [[{}, { status: 700 }], 'steps[1].status must be a whole number from 200 to 599'],
    [[{ cut: 'sometimes' }], 'steps[0].cut must be one of'],
    [[{ probability: 2 }], 'steps[0].probability must be a number from 0 to 1'],
    [[{ receipts: 'soon' }], 'steps[0].receipts must be ok, missing, late or error:CODE'],
    [[{ cut: 'before-read', accept: true }], 'steps[0].accept cannot be true'],
    [[{ status: 504, body: 'fewer' }], 'steps[0].body fewer is made of tickets'],
    [[{ accept: false }], 'steps[0].accept false needs'],
    [[7], 'steps[0] must be an object'],
    ['{', 'The body must be JSON'],
  ])('%j is refused, naming the field, and adds no step', async (body, message) => {
    const simulator = await simulatorFor()
    const reply = await call(`${simulator.url}/simulator/script`, 'POST', body)
    expect([reply.status, reply.problem]).toEqual([400, expect.stringContaining(message)])
    expect(simulator.state().scriptLeft).toEqual([])
  })
})
