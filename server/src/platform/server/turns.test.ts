import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServerWithTurns, WAITING_MAX } from './turns.ts'

const ASK = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

async function listening(handle: (response: ServerResponse) => void): Promise<Server> {
  const server = createServerWithTurns((_request, response) => handle(response), {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

async function dial(server: Server): Promise<{ socket: Socket; heard: () => string; answers: () => number }> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1').replaceAll('\0', '')))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, heard: () => text, answers: () => text.match(/HTTP\/1\.1 200/g)?.length ?? 0 }
}

describe('requests of one connection', () => {
  test('are handled one at a time, in their order', async () => {
    const held: ServerResponse[] = []
    const { socket, heard, answers } = await dial(await listening((response) => held.push(response)))
    socket.write(ASK.repeat(20))
    for (let n = 1; n <= 20; n++) {
      await expect.poll(() => held.length).toBe(n)
      held[n - 1]!.end(`<${n}>`)
      await expect.poll(answers).toBe(n)
    }
    expect(heard().match(/<\d+>/g)).toEqual(Array.from({ length: 20 }, (_, n) => `<${n + 1}>`))
    socket.write(ASK)
    await expect.poll(() => held.length).toBe(21)
  })

  test('begin with a turn of the event loop between them, those of all connections in turn', async () => {
    const state = { turn: 0, begun: [] as number[] }
    const server = await listening((response) => {
      state.begun.push(state.turn)
      response.end('x')
    })
    let isCounting = true
    const count = () => {
      state.turn++
      if (isCounting) setImmediate(count)
    }
    setImmediate(count)
    const lines = await Promise.all(Array.from({ length: 10 }, () => dial(server)))
    for (const { socket } of lines) socket.write(ASK.repeat(30))
    await expect.poll(() => lines.map(({ answers }) => answers())).toEqual(Array(10).fill(30))
    isCounting = false
    // The first request of each connection begins at once; of the 290 others one in a turn.
    const later = Object.values(Object.groupBy(state.begun, String)).map((group) => group!.length)
    expect(Math.max(...later)).toBeLessThanOrEqual(1 + 10)
    expect(later.length).toBeGreaterThanOrEqual(290)
  })

  test('wait while the client does not read the answer before them', async () => {
    let begun = 0
    const { socket, answers } = await dial(
      await listening((response) => {
        begun++
        response.end(begun === 1 ? Buffer.alloc(16 * 1024 * 1024) : 'x')
      }),
    )
    socket.pause()
    socket.write(ASK.repeat(20))
    await expect.poll(() => begun).toBe(1)
    for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate)
    expect(begun).toBe(1)
    socket.resume()
    await expect.poll(answers).toBe(20)
  })

  test('with a body that comes later are read to their end', async () => {
    const server = createServerWithTurns((request, response) => {
      let length = 0
      request.on('data', (chunk: Buffer) => (length += chunk.length)).on('end', () => response.end(`<${length}>`))
    }, {})
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { socket, heard } = await dial(server)
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n'
    socket.write(ASK + head)
    await expect.poll(heard).toContain('<0>')
    socket.write('x'.repeat(200_000) + ASK + head + 'x'.repeat(200_000))
    await expect.poll(() => heard().match(/<\d+>/g)).toEqual(['<0>', '<200000>', '<0>', '<200000>'])
    socket.destroy()
  })

  test('are no more than some: the connection is closed after its answer, and the rest is not handled', async () => {
    const held: ServerResponse[] = []
    const { socket, heard, answers } = await dial(await listening((response) => held.push(response)))
    socket.write(ASK.repeat(WAITING_MAX + 2))
    await expect.poll(() => held.length).toBe(1)
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate)
    held[0]!.end('x')
    await once(socket, 'close')
    expect([answers(), held.length]).toEqual([1, 1])
    expect(heard()).toMatch(/connection: close/i)
  })
})
