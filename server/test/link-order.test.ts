import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { openLink } from './support/link.ts'

afterEach(() => vi.useRealTimers())

test('a link that was slow keeps the order of what it carries', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const link = await openLink((server.address() as AddressInfo).port)
  const near = connect(link.port, '127.0.0.1')
  const [far] = (await once(server, 'connection')) as [Socket]
  far.on('error', () => undefined)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  link.slow(150)
  near.write('before')
  while (vi.getTimerCount() === 0) await nextTurn()
  const arrives = once(far, 'data') as Promise<[Buffer]>
  link.flow()
  near.write('after')
  const [first] = await arrives
  expect(first.toString()).toMatch(/^before/)
  near.destroy()
  await link.close()
  server.close()
})
