// Slow: a second or more for each test, or five for the file.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, messages, send, simulatorFor } from '../../test/simulator.ts'
import { fetchWall, watch } from '../../test/wall.ts'
import { readTrialStart } from './trial.ts'

describe('the page of the wall', () => {
  it('runs and styles itself from its own files alone, and each file that it names is there', async () => {
    const simulator = await simulatorFor()
    const { status, headers, text } = await call(simulator.url, 'GET')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)|\sstyle=|\son\w+=/)
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
    expect(files.length).toBeGreaterThan(3)
    for (const path of files) {
      const file = await call(simulator.url + path, 'GET')
      expect([path, file.status]).toEqual([path, 200])
      for (const [, imported] of file.text.matchAll(/from '\.\/([^']+)'/g))
        expect([imported, (await call(`${simulator.url}/page/${imported}`, 'GET')).status]).toEqual([imported, 200])
    }
    expect((await call(`${simulator.url}/page/..%2Fpackage.json`, 'GET')).status).toBe(404)
    expect((await call(`${simulator.url}/page/tsconfig.json`, 'GET')).status).toBe(404)
  })

  it('without a trial watches each push token that gets a message, and sees no whole token', async () => {
    const simulator = await simulatorFor()
    const token = 'ExponentPushToken[secret-part-of-a-token-123456]'
    await send(simulator, { to: token, title: 'First', collapseId: 'c' })
    const next = await watch(simulator)
    const first = await next()
    expect(first).toMatchObject({ all: true, totals: { accepted: 1 }, api: null })
    expect(first.phones).toMatchObject([{ token: '…123456', account: null, banners: [{ title: 'First' }] }])
    await send(simulator, { to: token, title: '<b>Second</b>', tag: 't', data: { notification_id: 'n' } })
    const second = await next()
    expect(second).toMatchObject({ all: false, totals: { accepted: 2 } })
    expect(second.phones.map(({ id }) => id)).toEqual(first.phones.map(({ id }) => id))
    expect(second.phones[0]?.banners.map(({ title }) => title)).toEqual(['<b>Second</b>', 'First'])
    expect(JSON.stringify([first, second])).not.toContain('secret-part')
  })

  it('holds the 60 phones with the latest messages, however many tokens there are', async () => {
    const simulator = await simulatorFor({ ratePerSecond: 0 })
    for (let hundred = 0; hundred < 20; hundred++)
      await send(
        simulator,
        messages(100).map((message, index) => ({ ...message, to: `ExponentPushToken[p${hundred}-${index}]` })),
      )
    const next = await watch(simulator)
    const { phones, totals } = await next()
    expect([phones.length, totals.accepted]).toEqual([60, 2_000])
    expect(phones.at(-1)?.token).toBe('…-99')
  })

  it('gets one event for many messages at once, and none while nothing happens', async () => {
    const simulator = await simulatorFor({ ratePerSecond: 0 })
    const next = await watch(simulator)
    expect((await next()).phones).toEqual([])
    await Promise.all(Array.from({ length: 20 }, () => send(simulator, messages(100))))
    let events = 0
    for (let accepted = 0; accepted < 2_000; events++) accepted = (await next()).totals.accepted
    expect(events).toBeLessThan(8)
    const silence = await Promise.race([
      next().catch(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 700, 'silence')),
    ])
    expect(silence).toBe('silence')
  })
})

describe('the start of a trial', () => {
  const trial = { api: 'http://127.0.0.1:1', people: ['a@b.c'], password: 'secret', phones: 1 }

  it('is read from a message of another process, and from no other message', () => {
    expect(readTrialStart({ trial })).toEqual(trial)
    for (const wrong of [{ api: 'no address' }, { api: 1 }, { people: [1] }, { phones: 201 }, { password: null }])
      expect(readTrialStart({ trial: { ...trial, ...wrong } })).toBeUndefined()
    for (const message of [null, 'trial', {}, []]) expect(readTrialStart(message)).toBeUndefined()
  })

  it('puts phones on the wall that say why they are not signed in while nothing answers', async () => {
    const simulator = await simulatorFor()
    await simulator.openTrial(trial)
    const { phones, api } = await fetchWall(simulator)
    expect(api).toBe(trial.api)
    expect(phones).toMatchObject([{ user: null, account: 'a@b.c', note: 'Not signed in. Swapbell did not answer.' }])
    expect(JSON.stringify(phones)).not.toContain('secret')
  })

  it('signs a phone in again after the wait that Swapbell asks for', async () => {
    const signedIn = { success: true, data: { token: 't', user: { id: 1, name: 'Ana' } } }
    const logins: number[] = []
    const swapbell = createServer((request, response) => {
      const isLogin = request.url === '/api/v1/login'
      if (isLogin) logins.push(logins.length < 2 ? 429 : 200)
      response.writeHead(isLogin ? logins.at(-1)! : 200, { 'retry-after': '1', 'content-type': 'application/json' })
      response.end(JSON.stringify(signedIn))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void swapbell.close())
    await once(swapbell, 'listening')
    const simulator = await simulatorFor()
    await simulator.openTrial({ ...trial, api: `http://127.0.0.1:${(swapbell.address() as AddressInfo).port}` })
    expect(logins).toEqual([429, 429, 200])
    expect(await fetchWall(simulator)).toMatchObject({ phones: [{ user: { name: 'Ana' } }] })
  })

  it('keeps what the phones of the wall get, and of other tokens only the count', async () => {
    const simulator = await simulatorFor({ ratePerSecond: 0 })
    await simulator.openTrial({ ...trial, phones: 0 })
    await send(simulator, messages(100))
    expect(await fetchWall(simulator)).toMatchObject({ phones: [], totals: { accepted: 100 } })
  })
})
