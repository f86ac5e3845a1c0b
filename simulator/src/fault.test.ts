import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { getReceipts, messages, send, simulatorFor, type Reply } from '../test/simulator.ts'
import type { FaultStep } from './script.ts'
import type { Simulator } from './server.ts'

const ONE = [{ to: 'ExponentPushToken[a]', data: { notification_id: 'n' } }]

describe('connections', () => {
  it('resets before the body is read', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ cut: 'before-read' }])
    const error = await wireError(simulator, (sending) => sending.flushHeaders())
    expect(error).toBe('ECONNRESET')
    expect(simulator.state()).toMatchObject({ acceptedMessages: 0, cuts: 1 })
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('resets after the body is read; accepted is %s', async (accept, accepted) => {
    const simulator = await simulatorFor()
    simulator.script([{ cut: 'after-read', accept }])
    expect(await wireError(simulator, (sending) => sending.end(JSON.stringify(ONE)))).toBe('ECONNRESET')
    expect(simulator.log()).toHaveLength(accepted)
  })

  it('accepts, then resets halfway through the answer', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ cut: 'mid-body' }])
    const response = await fetch(`${simulator.url}/--/api/v2/push/send`, { method: 'POST', body: JSON.stringify(ONE) })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(simulator.log()).toHaveLength(1)
  })

  it('accepts first and waits then', async () => {
    const simulator = await simulatorFor()
    simulator.script([{ delayMs: 60_000 }])
    const gaveUp = new AbortController()
    const sending = fetch(`${simulator.url}/--/api/v2/push/send`, {
      method: 'POST',
      body: JSON.stringify(ONE),
      signal: gaveUp.signal,
    })
    await expect.poll(() => simulator.log().length).toBe(1)
    gaveUp.abort()
    await expect(sending).rejects.toThrow('aborted')
  })

  it('stops at once while an answer waits', async () => {
    const simulator = await simulatorFor({ latencyMs: 60_000 })
    const sending = send(simulator, ONE)
    await expect.poll(() => simulator.log().length).toBe(1)
    await Promise.all([expect(sending).rejects.toThrow('fetch failed'), simulator.close()])
  })
})

describe('bodies', () => {
  it('html, empty, garbage and truncated are 200 answers that are not JSON', async () => {
    for (const body of ['html', 'empty', 'garbage', 'truncated'] as const) {
      const reply = await readBody(body)
      expect([body, reply.status, reply.json]).toEqual([body, 200, undefined])
    }
    expect((await readBody('truncated')).text).toMatch(/^\{"data":\[\{"status":"ok","id":/)
  })

  it('fewer and more give one ticket too few and one too many', async () => {
    expect((await readBody('fewer')).tickets).toHaveLength(2)
    expect((await readBody('more')).tickets).toHaveLength(4)
  })

  it('duplicate-ids gives every ticket the same id, object gives one ticket in place of the list', async () => {
    const ids = (await readBody('duplicate-ids')).tickets.map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([3, 1])
    expect((await readBody('object')).json).toEqual({ data: { status: 'ok', id: expect.any(String) } })
  })

  it('huge is valid JSON of more than 10 MB, gzip-bomb a small body that unzips to more than 64 MB', async () => {
    const huge = await readBody('huge')
    expect(huge.text.length).toBeGreaterThan(10 * 1024 * 1024)
    expect(huge.tickets).toHaveLength(3)
    const simulator = await simulatorFor()
    simulator.script([{ body: 'gzip-bomb' }])
    const zipped = await rawBody(simulator)
    expect(zipped.length).toBeLessThan(200 * 1024)
    expect(gunzipSync(zipped).length).toBeGreaterThan(64 * 1024 * 1024)
  })

  it('answers any JSON it is given', async () => {
    const body = { data: [{ status: 'ok', id: 7 }] }
    expect((await readBody(body)).json).toEqual(body)
  })

  it('changes receipts too', async () => {
    const simulator = await simulatorFor()
    const ids = (await send(simulator, messages(2))).tickets.map(({ id }) => id)
    const bodies = ['fewer', 'more', 'object', 'html'] as const
    simulator.script(bodies.map((body) => ({ match: 'getReceipts', body })))
    const replies: Reply[] = []
    for (const _ of bodies) replies.push(await getReceipts(simulator, ids))
    const [fewer, more, object, html] = replies
    expect(Object.keys(fewer?.receipts ?? {})).toHaveLength(1)
    expect(Object.keys(more?.receipts ?? {})).toHaveLength(3)
    expect(object?.json).toEqual({ data: [{ status: 'ok' }, { status: 'ok' }] })
    expect([html?.status, html?.json]).toEqual([200, undefined])
  })
})

/** The answer to three messages when its body is spoiled. */
async function readBody(body: NonNullable<FaultStep['body']>): Promise<Reply> {
  const simulator = await simulatorFor()
  simulator.script([{ match: 'send', body }])
  return send(simulator, messages(3))
}

async function wireError(simulator: Simulator, write: (sending: ReturnType<typeof request>) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request(`${simulator.url}/--/api/v2/push/send`, { method: 'POST' })
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sending.on('response', () => reject(new Error('there was an answer')))
    write(sending)
  })
}

async function rawBody(simulator: Simulator): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sending = request(`${simulator.url}/--/api/v2/push/send`, { method: 'POST' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
    sending.on('error', reject)
    sending.end(JSON.stringify(ONE))
  })
}
