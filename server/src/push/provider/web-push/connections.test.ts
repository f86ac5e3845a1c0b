import { expect, onTestFinished, test } from 'vitest'
import { startHttp2Double } from '../../../../../simulator/src/http2/double.ts'
import { AUTHORITY } from '../../../../../simulator/src/http2/certificates.ts'
import { until } from '../../../../test/support/until.ts'
import { createConnections } from './connections.ts'

async function open(timeoutMs: number) {
  const double = await startHttp2Double({ answer: ({ path }) => ({ status: 200, body: path }) })
  const connections = createConnections({ allowH2: true, connect: { ca: AUTHORITY } }, timeoutMs)
  onTestFinished(async () => {
    await connections.close()
    await double.close()
  })
  const ask = (path: string) =>
    connections.use(double.url, async (pool) => {
      const { body } = await pool.request({ origin: double.url, path, method: 'GET' })
      return body.text()
    })
  const findPool = () => connections.use(double.url, (pool) => Promise.resolve(pool))
  return { double, ask, findPool }
}

test('A request without an answer for nine tenths of the time limit still gets its own, and those after it leave by another connection', async () => {
  const { double, ask, findPool } = await open(10)
  const former = await findPool()
  const slow = Promise.withResolvers<void>()
  double.script([{ kind: 'slow', until: slow.promise }])
  const early = ask('/slow')
  await until('its connections are left', 0, async () => (await findPool()) !== former)
  expect(await ask('/next')).toBe('/next')
  expect(double.counts().connections).toBe(2)
  slow.resolve()
  expect(await early).toBe('/slow')
  await until('the former connection has ended', 0, () => double.counts().live < 2)
})

test('Requests that are answered in time share a connection', async () => {
  const { double, ask } = await open(60_000)
  expect(await Promise.all(['/1', '/2', '/3'].map(ask))).toEqual(['/1', '/2', '/3'])
  expect(await ask('/4')).toBe('/4')
  expect(double.counts().connections).toBe(1)
})
