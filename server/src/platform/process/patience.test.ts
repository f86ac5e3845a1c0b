import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createLog } from '../shared/log.ts'
import { patiently } from './patience.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a start waits for a database that does not answer yet, and says so', async () => {
  const database = new URL(inject('postgresUrl'))
  const port = await freePort()
  const url = Object.assign(new URL(database), { port: String(port) }).href
  const lines = new PassThrough()
  let said = ''
  lines.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const asked = patiently({ waitMs: 600_000, log: createLog('info', lines) }, async () => {
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query<{ n: number }>('select 1 as n')
    await client.end()
    return rows
  })
  await expect.poll(() => said).toContain('the database does not answer: waiting for it')
  const link = createServer((from) => {
    const to = connect(Number(database.port), '127.0.0.1')
    for (const socket of [from, to]) socket.on('error', () => undefined)
    from.pipe(to).pipe(from)
  }).listen(port, '127.0.0.1')
  onTestFinished(() => void link.close())
  expect(await asked).toEqual([{ n: 1 }])
})

test('any other fault ends a start at once, and so does a database that stays away', async () => {
  const log = createLog('silent')
  await expect(patiently({ waitMs: 600_000, log }, refuse)).rejects.toThrow('the password is wrong')
  await expect(patiently({ waitMs: 0, log }, connectNowhere)).rejects.toThrow('ECONNREFUSED')
})

async function refuse(): Promise<void> {
  throw new Error('the password is wrong')
}

async function connectNowhere(): Promise<void> {
  await new Client('postgres://nobody@127.0.0.1:1/none').connect()
}
