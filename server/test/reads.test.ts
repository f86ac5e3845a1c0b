import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from './support/app.ts'
import { givenProduct } from './support/marketplace.ts'
import { startService, type Service } from './support/service.ts'

const LIST = '/api/v1/products?limit=20'

async function givenCards(service: Service) {
  const { given, deps } = service
  const [reader, owner] = [await given.user(), await given.user()]
  for (let card = 0; card < 12; card++)
    await givenProduct(deps, owner, { title: `A lamp ${card}`, verification: 'verified' })
  const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    service.app.inject({ method, url: LIST, headers: { ...reader.headers, ...headers } })
  return { reader, owner, ask }
}

describe('A longer answer', () => {
  test('is compressed for who accepts it, with the same bytes inside, and never stored by a cache', async ({
    service,
  }) => {
    const { ask } = await givenCards(service)
    const plain = await ask()
    expect(plain.rawPayload.length).toBeGreaterThan(2_000)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const packed = await ask({ 'accept-encoding': 'br, gzip' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'cache-control': 'no-store',
      'content-length': String(packed.rawPayload.length),
    })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  })

  test('keeps what else it varies by', async () => {
    const service = await startService({ CORS_ORIGINS: ['https://a.example', 'https://b.example'] })
    onTestFinished(() => service.close())
    const { ask } = await givenCards(service)
    const { headers } = await ask({ origin: 'https://b.example', 'accept-encoding': 'gzip' })
    expect(headers['access-control-allow-origin']).toBe('https://b.example')
    expect(String(headers['vary']).split(', ').toSorted()).toEqual(['Accept-Encoding', 'Origin'])
  })

  test('is 304 while nothing has changed, in either form, and whole again afterwards', async ({ service }) => {
    const { ask, owner } = await givenCards(service)
    const first = await ask()
    const tag = String(first.headers['etag'])
    expect(tag).toMatch(/^W\/"/)
    expect((await ask({ 'accept-encoding': 'gzip' })).headers['etag']).toBe(tag)
    for (const headers of [{ 'if-none-match': tag }, { 'if-none-match': `"a", ${tag}`, 'accept-encoding': 'gzip' }]) {
      const same = await ask(headers)
      expect([same.statusCode, same.body, same.headers['etag']]).toEqual([304, '', tag])
      expect((await ask(headers, 'HEAD')).statusCode).toBe(304)
    }
    await givenProduct(service.deps, owner, { title: 'A chair', verification: 'verified' })
    const changed = await ask({ 'if-none-match': tag })
    expect([changed.statusCode, changed.body.includes('A chair')]).toEqual([200, true])
  })

  test('to the administration has no such tag, and a short one is as it is', async ({ service, app, given }) => {
    const { reader } = await givenCards(service)
    const { headers } = await given.admin()
    const list = await app.inject({ url: '/api/admin/v1/users', headers: { ...headers, 'accept-encoding': 'gzip' } })
    expect([list.headers['etag'], list.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    const short = await app.inject({ url: '/api/v1/badge', headers: { ...reader.headers, 'accept-encoding': 'gzip' } })
    expect([short.headers['etag'], short.headers['content-encoding']]).toEqual([undefined, undefined])
  })
})
