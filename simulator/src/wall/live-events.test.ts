// Slow: many costly requests, or long data.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, send, simulatorFor } from '../../test/simulator.ts'
import type { Simulator } from '../server.ts'
import type { WallView } from './view.ts'

/** A page that is connected; what it reads is collected once it is resumed. */
async function connected({ url }: Simulator): Promise<{ socket: Socket; read(): string }> {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  socket.pause()
  socket.write(`GET /simulator/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return { socket, read: () => text }
}

/** Ten pushes with long texts to each of 60 phones: some 400 KB of events. */
async function ringAll(simulator: Simulator, round: number): Promise<void> {
  const phones = Array.from({ length: 60 }, (_, index) => `ExponentPushToken[stuck-${index}]`)
  for (let push = 0; push < 10; push++)
    await send(simulator, { to: phones, title: `${round}`.padEnd(300, 't'), body: 'b'.repeat(300) })
}

/** The events that arrived whole. */
function eventsIn(text: string): WallView[] {
  return [...text.matchAll(/data: (\{.*\})\n/g)].map(([, json]) => JSON.parse(json ?? '') as WallView)
}

describe('the live view', () => {
  it('skips a page that does not read, and sends it everything when it reads again', async () => {
    const simulator = await simulatorFor({ ratePerSecond: 0 })
    const page = await connected(simulator)
    const rounds = 26
    for (let round = 1; round <= rounds; round++) {
      await ringAll(simulator, round)
      await sleep(260)
    }
    page.socket.resume()
    const last = () => eventsIn(page.read()).at(-1)
    await expect.poll(() => last()?.phones[0]?.banners[0]?.title?.slice(0, 3)).toBe(`${rounds}t`)
    const events = eventsIn(page.read())
    expect(last()).toMatchObject({ all: true, totals: { accepted: rounds * 600 } })
    expect(last()?.phones).toHaveLength(60)
    expect(events.length).toBeLessThan(rounds)
  })

  it('serves at most 50 pages at a time', async () => {
    const simulator = await simulatorFor()
    for (let page = 0; page < 50; page++) {
      const response = await fetch(`${simulator.url}/simulator/events`)
      onTestFinished(() => response.body?.cancel())
      expect(response.status).toBe(200)
    }
    expect(await call(`${simulator.url}/simulator/events`, 'GET')).toMatchObject({
      status: 503,
      problem: 'Too many pages are open',
    })
  })
})
