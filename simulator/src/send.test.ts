import { readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { getReceipts, messages, send, simulatorFor, zipped } from '../test/simulator.ts'

const TICKET = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8000-[0-9a-f]{12}$/

describe('send', () => {
  it('answers a lone message to a lone recipient with one ticket, not a list', async () => {
    const simulator = await simulatorFor()
    const { status, json } = await send(simulator, { to: 'ExponentPushToken[a]', title: 'Hello' })
    expect(status).toBe(200)
    expect(json).toEqual({ data: { status: 'ok', id: expect.stringMatching(TICKET) } })
  })

  it('answers one ticket per recipient, in order, also for an array of tokens', async () => {
    const simulator = await simulatorFor()
    const { tickets } = await send(simulator, [
      { to: ['ExponentPushToken[a]', 'ExponentPushToken[dead-b]'] },
      { to: 'ExpoPushToken[c]' },
    ])
    expect(tickets.map((ticket) => ticket.status)).toEqual(['ok', 'error', 'ok'])
    expect(simulator.log().map(({ token }) => token)).toEqual(['ExponentPushToken[a]', 'ExpoPushToken[c]'])
  })

  it('answers a list for a lone message to an array of tokens', async () => {
    const simulator = await simulatorFor()
    const { json } = await send(simulator, { to: ['ExponentPushToken[a]'] })
    expect(json).toEqual({ data: [{ status: 'ok', id: expect.any(String) }] })
  })

  it('reads a gzip body like a plain one', async () => {
    const simulator = await simulatorFor()
    const [body, headers] = zipped(messages(100))
    const { status, tickets } = await send(simulator, body, headers)
    expect(status).toBe(200)
    expect(tickets).toHaveLength(100)
    expect(simulator.log().map((entry) => entry.notification_id)).toEqual(
      messages(100).map(({ data }) => data.notification_id),
    )
  })

  it('quotes the token of a dead device in the ticket and accepts nothing for it', async () => {
    const simulator = await simulatorFor()
    const token = 'ExponentPushToken[dead-1]'
    const { json } = await send(simulator, { to: token })
    expect(json).toEqual({
      data: {
        status: 'error',
        message: `"${token}" is not a registered push notification recipient`,
        details: { error: 'DeviceNotRegistered', expoPushToken: token },
      },
    })
    expect(simulator.log()).toEqual([])
  })

  it('takes every form of token that the official client takes and gives the others an error ticket', async () => {
    const simulator = await simulatorFor()
    const good = ['ExponentPushToken[x]', 'ExpoPushToken[x]', '1a2b3c4d-1a2b-1a2b-1a2b-1a2b3c4d5e6f']
    const bad = ['', 'x', 'ExponentPushToken[x', 'FcmToken[x]', '1a2b3c4d-1a2b-1a2b-1a2b-1a2b3c4d5e6']
    const { tickets } = await send(simulator, { to: [...good, ...bad] })
    expect(tickets.map((ticket) => ticket.status)).toEqual([...good.map(() => 'ok'), ...bad.map(() => 'error')])
    expect(tickets[3]?.details.error).toBe('DeviceNotRegistered')
  })

  it('refuses over 100 recipients, counting each entry of an array', async () => {
    const simulator = await simulatorFor()
    const to = Array.from({ length: 51 }, (_, index) => `ExponentPushToken[${index}]`)
    const { status, code } = await send(simulator, [{ to }, { to: to.slice(0, 50) }])
    expect(status).toBe(400)
    expect(code).toBe('PUSH_TOO_MANY_NOTIFICATIONS')
    expect(simulator.state()).toMatchObject({ acceptedMessages: 0, refusedMessages: 101 })
    expect((await send(simulator, [{ to }, { to: to.slice(0, 49) }])).status).toBe(200)
  })

  it('refuses tokens of two projects and says which token is of which', async () => {
    const simulator = await simulatorFor()
    const [plain, other] = ['ExponentPushToken[a]', 'ExponentPushToken[proj-b:a]']
    const { status, json } = await send(simulator, [{ to: plain }, { to: other }])
    expect(status).toBe(400)
    expect(json).toEqual({
      errors: [
        {
          code: 'PUSH_TOO_MANY_EXPERIENCE_IDS',
          message: expect.any(String),
          details: { '@simulator/default': [plain], '@simulator/b': [other] },
        },
      ],
    })
    expect((await send(simulator, [{ to: other }, { to: 'ExponentPushToken[proj-b:b]' }])).status).toBe(200)
  })

  it('answers 429 beyond the notifications a second, for each project apart, until the bucket has filled', async () => {
    let now = 1_000_000
    const simulator = await simulatorFor({ ratePerSecond: 250, now: () => now })
    const statuses = []
    for (let index = 0; index < 4; index++) statuses.push((await send(simulator, messages(100))).status)
    expect(statuses).toEqual([200, 200, 429, 429])
    const refused = await send(simulator, messages(51))
    expect(refused.code).toBe('TOO_MANY_REQUESTS')
    expect((await send(simulator, { to: 'ExponentPushToken[proj-b:1]' })).status).toBe(200)
    now += 200
    expect((await send(simulator, messages(100))).status).toBe(200)
    expect((await send(simulator, { to: 'ExponentPushToken[a]' })).status).toBe(429)
    expect(simulator.state()).toMatchObject({ acceptedMessages: 301, rateLimited: 4, refusedMessages: 252 })
  })

  it.each([
    ['not json', '"value" must be JSON'],
    ['[]', '"value" must contain at least one message'],
    ['7', '"value" must be an object'],
    ['[7]', '"[0]" must be an object'],
    ['{"title":"x"}', '"value.to" is required'],
    ['[{"to":"ExpoPushToken[x]"},{"to":7}]', '"[1].to" must be a string or an array of strings'],
    ['{"to":[]}', '"value.to" must contain at least one token'],
    ['{"to":"ExpoPushToken[x]","data":"x"}', '"value.data" must be an object'],
    ['{"to":"ExpoPushToken[x]","title":7}', '"value.title" must be a string'],
    ['{"to":"ExpoPushToken[x]","badge":-1}', '"value.badge" must be a whole number'],
    ['{"to":"ExpoPushToken[x]","priority":"top"}', '"value.priority" must be one of default, normal, high'],
  ])('refuses %s as malformed', async (body, message) => {
    const simulator = await simulatorFor()
    const { status, json } = await send(simulator, body)
    expect({ status, json }).toEqual({ status: 400, json: { errors: [{ code: 'VALIDATION_ERROR', message }] } })
  })

  it('takes a field it does not know', async () => {
    const simulator = await simulatorFor()
    expect((await send(simulator, { to: 'ExpoPushToken[x]', somethingNew: 1 })).status).toBe(200)
  })

  it('refuses a body that is not the gzip it claims, unzips too large, or is encoded otherwise', async () => {
    const simulator = await simulatorFor()
    expect((await send(simulator, '{}', { 'content-encoding': 'gzip' })).status).toBe(400)
    const [bomb, headers] = zipped({ to: 'ExpoPushToken[x]', body: ' '.repeat(9 * 1024 * 1024) })
    expect((await send(simulator, bomb, headers)).status).toBe(413)
    expect((await send(simulator, ' '.repeat(9 * 1024 * 1024))).status).toBe(413)
    expect((await send(simulator, '{}', { 'content-encoding': 'br' })).status).toBe(415)
  })

  it.each([
    ['ASCII', 'x', 4084, 4085],
    ['two-byte letters', 'é', 2042, 2043],
    ['letters that JSON escapes', '"', 2042, 2043],
  ])('lets a payload of 4096 bytes pass and reports a larger one in its receipt: %s', async (_, letter, fits, over) => {
    const simulator = await simulatorFor()
    const body = (count: number) => ({ to: 'ExponentPushToken[a]', title: letter.repeat(count) })
    expect(Buffer.byteLength(JSON.stringify({ title: letter.repeat(fits) }))).toBeLessThanOrEqual(4096)
    expect(Buffer.byteLength(JSON.stringify({ title: letter.repeat(over) }))).toBeGreaterThan(4096)
    const { tickets } = await send(simulator, [body(fits), body(over)])
    const [small = '', big = ''] = tickets.map((ticket) => ticket.id)
    const { receipts } = await getReceipts(simulator, [small, big])
    expect(receipts[small]).toEqual({ status: 'ok' })
    expect(receipts[big]).toMatchObject({ status: 'error', details: { error: 'MessageTooBig' } })
  })

  it('survives a payload nested as deep as the body allows', async () => {
    const simulator = await simulatorFor()
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const { tickets } = await send(simulator, `{"to":"ExponentPushToken[a]","data":{"deep":${deep}}}`)
    const id = tickets[0]?.id ?? ''
    const { receipts } = await getReceipts(simulator, [id])
    expect(receipts[id]?.details.error).toBe('MessageTooBig')
  })

  it('gives ids that differ between two simulators and after a reset', async () => {
    const ids = new Set<string>()
    for (const simulator of [await simulatorFor(), await simulatorFor()]) {
      for (let round = 0; round < 2; round++) {
        const { tickets } = await send(simulator, messages(3))
        for (const { id } of tickets) ids.add(id)
        simulator.reset()
      }
    }
    expect(ids.size).toBe(12)
  })

  it('appends each accepted message to the log file before it answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const logFile = join(folder, 'accepted.ndjson')
    const simulator = await simulatorFor({ logFile })
    await send(simulator, [...messages(2), { to: 'ExponentPushToken[dead-x]' }])
    simulator.script([{ accept: true, cut: 'after-read' }])
    await expect(send(simulator, messages(1))).rejects.toThrow('fetch failed')
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(simulator.log())
    expect(lines).toHaveLength(3)
  })
})

describe('access token', () => {
  it('answers a missing bearer and a wrong one differently, and accepts the right one', async () => {
    const simulator = await simulatorFor({ accessToken: 'secret' })
    const body = { to: 'ExponentPushToken[a]' }
    const missing = await send(simulator, body)
    expect([missing.status, missing.code]).toEqual([401, 'UNAUTHORIZED'])
    const wrong = await send(simulator, body, { authorization: 'Bearer other' })
    expect([wrong.status, wrong.json]).toEqual([401, { error: 'invalid_token', error_description: expect.any(String) }])
    expect((await send(simulator, body, { authorization: 'Bearer secret' })).status).toBe(200)
    expect((await getReceipts(simulator, [])).status).toBe(401)
    expect(simulator.log()).toHaveLength(1)
  })
})
