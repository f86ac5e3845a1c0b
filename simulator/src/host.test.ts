import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { messages, send, simulatorFor } from '../test/simulator.ts'
import type { Simulator } from './server.ts'

/** A call with a Host header of its own, which fetch does not let be set. */
async function callAs(host: string, simulator: Simulator, method: string, path: string, body?: unknown) {
  const { port } = new URL(simulator.url)
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { host, 'content-type': 'application/json' },
    })
    call.on('error', reject)
    call.on('response', (response) => {
      json(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
        () => resolve({ status: response.statusCode ?? 0, body: undefined }),
      )
    })
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const ROUTES = [
  ['GET', '/'],
  ['GET', '/simulator/log'],
  ['GET', '/simulator/state'],
  ['GET', '/simulator/events'],
  ['GET', '/simulator/phones'],
  ['GET', '/page/main.js'],
  ['POST', '/simulator/phones'],
  ['POST', '/simulator/phones/1/tap'],
  ['DELETE', '/simulator/phones/1'],
  ['POST', '/simulator/mode'],
  ['POST', '/simulator/reset'],
  ['POST', '/--/api/v2/push/send'],
  ['POST', '/--/api/v2/push/getReceipts'],
] as const

describe('a name by which the simulator is called', () => {
  it.each([
    'evil.example',
    'evil.example:3200',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.0.2.1',
    '[::2]',
    '.',
  ])('%s is refused on every route, and nothing of what it keeps is told', async (host) => {
    const simulator = await simulatorFor()
    await send(simulator, messages(1))
    for (const [method, path] of ROUTES) {
      const answer = await callAs(host, simulator, method, path, messages(1))
      expect(answer.status, `${method} ${path}`).toBe(403)
      expect(JSON.stringify(answer.body ?? '')).not.toContain('PushToken')
    }
    expect(simulator.log()).toHaveLength(1)
  })

  it.each(['localhost', 'LOCALHOST:3200', '127.0.0.1:1', '127.1.2.3', '[::1]:3200', 'simulator', 'Sim.Example:80'])(
    '%s is its own',
    async (host) => {
      const simulator = await simulatorFor({ hostNames: ['simulator', 'sim.example'] })
      expect((await callAs(host, simulator, 'GET', '/simulator/state')).status).toBe(200)
      expect((await callAs(host, simulator, 'POST', '/--/api/v2/push/send', messages(1))).status).toBe(200)
      expect(simulator.log()).toHaveLength(1)
    },
  )
})
