// For CI: many costly requests, or long data.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenUser } from '../../../test/support/given.ts'
import { openLink, type Link } from '../../../test/support/link.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { errorCode } from '../../platform/shared/errors.ts'
import { runSql } from '../../../test/support/run-sql.ts'

const ADDRESS = '/api/admin/v1/users-export'
const AT_ONCE = 4
const SILENCE_MS = 5_000

let service: Service
let link: Link
let admin: GivenUser

beforeAll(async () => {
  service = await startService({}, { limits: { connectMs: 30_000, silenceMs: SILENCE_MS }, lead })
  admin = await service.given.admin()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await service.close()
  await link.close()
})

test('exports on a silent link end by themselves, and later exports are complete', async () => {
  const downloads = await Promise.all(Array.from({ length: AT_ONCE }, () => download()))
  expect(downloads.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  link.stall()
  // Read only now, so that none was complete before.
  const ends = await Promise.all(
    downloads.map((answer) =>
      text(answer).then(
        () => 'whole',
        (error: unknown) => errorCode(error),
      ),
    ),
  )
  expect(ends).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET', 'ECONNRESET'])
  link.flow()
  for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, () => download()))) {
    expect(answer.statusCode).toBe(200)
    const lines = (await text(answer)).trimEnd().split('\n')
    expect(lines).toHaveLength(Number(answer.headers['x-total-rows']))
  }
})

test('an export that was asked for on a silent link is 503, and the next one works', async () => {
  link.stall()
  const refused = await download()
  expect(refused.statusCode).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  refused.destroy()
  link.flow()
  const answer = await download()
  expect(answer.statusCode).toBe(200)
  await text(answer)
})

async function lead(url: string): Promise<string> {
  await insertUsers(url)
  link = await openLink(Number(new URL(url).port))
  return Object.assign(new URL(url), { port: String(link.port) }).href
}

/** More than all sockets on the way hold. Directly: it takes longer than the service would wait. */
async function insertUsers(url: string): Promise<void> {
  await runSql(
    url,
    `insert into users (username, email, name, password_hash)
      select 'u' || n, 'u' || n || '@example.com', repeat('Name ', 200), '' from generate_series(1, 30000) n`,
  )
}

async function download(): Promise<IncomingMessage> {
  const asking = get(`${service.app.listeningOrigin}${ADDRESS}?format=ndjson`, { headers: admin.headers, agent: false })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  return answer
}
