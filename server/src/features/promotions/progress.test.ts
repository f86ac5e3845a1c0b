import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { sleep } from '../../shared/clock.ts'
import type { Service } from '../../../test/support/service.ts'

type Campaign = { notification_id: number; status: string; counts: { sent: number } }

// A file of its own: the service listens here, and a request may outlive its test.
const listening = test.extend<'url', string>('url', { scope: 'file' }, ({ service }) =>
  service.app.listen({ port: 0, host: '127.0.0.1' }),
)

async function watch({ given }: Service, url: string, messageId: number, signal?: AbortSignal) {
  const { headers } = await given.admin()
  const answer = await fetch(`${url}/api/admin/promotional-notifications/${messageId}/progress`, {
    headers,
    ...(signal && { signal }),
  })
  expect(answer.status).toBe(200)
  return answer
}

/** The campaigns that the events of a stream carry, as they come. */
async function* eventsOf(answer: Response): AsyncGenerator<Campaign> {
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, json = ''] = /^event: progress\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      yield JSON.parse(json) as Campaign
      text = text.slice(end + 2)
    }
  }
}

describe('GET /api/admin/promotional-notifications/{notification_id}/progress', () => {
  listening('streams the campaign until it is completed', async ({ service, url }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const answer = await watch(service, url, messageId)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/.+/)

    const seen: Campaign[] = []
    for await (const campaign of eventsOf(answer)) {
      seen.push(campaign)
      if (seen.length === 1) await drain(service)
    }
    expect(seen[0]).toMatchObject({ notification_id: messageId, status: 'sending', counts: { sent: 0 } })
    expect(seen.at(-1)).toMatchObject({ notification_id: messageId, status: 'completed', counts: { sent: 2 } })
    expect(seen).toHaveLength(2)
  })

  listening('of a campaign that is over is one event', async ({ service, url }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    const events = await Array.fromAsync(eventsOf(await watch(service, url, messageId)))
    expect(events).toMatchObject([{ status: 'completed' }])
  })

  listening('asks the database no more once the watcher is gone', async ({ service, url }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const leaving = new AbortController()
    const events = eventsOf(await watch(service, url, messageId, leaving.signal))
    expect((await events.next()).value).toMatchObject({ status: 'sending' })
    let asked = 0
    service.deps.pool.on('acquire', () => asked++)
    leaving.abort()
    await expect(events.next()).rejects.toThrow('aborted')
    // Longer than the second between two events.
    await sleep(1_200)
    expect(asked).toBe(0)
  })

  listening('ends when the process shuts down', async ({ service, url }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const events = eventsOf(await watch(service, url, messageId))
    await events.next()
    service.deps.lifecycle.draining = true
    expect(await events.next()).toEqual({ done: true, value: undefined })
    service.deps.lifecycle.draining = false
  })
})
