// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { openStream } from '../../../test/support/event-stream.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { sleep } from '../../platform/shared/clock.ts'

const CAMPAIGN = '/api/admin/promotional-notifications'
const ANY = '/api/admin/notifications'

// A file of its own: the service listens here, and a request may outlive its test.
const listening = test.extend<'url', string>('url', { scope: 'file' }, ({ service }) =>
  service.app.listen({ port: 0, host: '127.0.0.1' }),
)

async function running(service: Service): Promise<number> {
  return send(service, await usersWithPhones(service, 1))
}

function ask({ app }: Service, { headers }: GivenUser, messageId: number, base = CAMPAIGN) {
  return app.inject({ method: 'POST', url: `${base}/${messageId}/progress-link`, headers })
}

async function readLink(service: Service, admin: GivenUser, messageId: number): Promise<string> {
  return (await ask(service, admin, messageId)).json<{ data: { url: string } }>().data.url
}

describe('GET /api/admin/promotional-notifications/{notification_id}/progress', () => {
  listening('streams the campaign when it changes, until it is completed', async ({ service, given, url }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const stream = await openStream(`${url}${CAMPAIGN}/${messageId}/progress`, await given.admin())
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('x-request-id')).toMatch(/.+/)
    expect(await stream.next()).toMatchObject({
      event: 'progress',
      data: { notification_id: messageId, status: 'sending', counts: { sent: 0 } },
    })
    await drain(service)
    expect(await stream.next()).toMatchObject({
      event: 'progress',
      data: { notification_id: messageId, status: 'completed', counts: { sent: 2 } },
    })
    expect(await stream.next()).toEqual({ event: 'end', data: { reason: 'completed' } })
    expect(await stream.next()).toBeUndefined()
  })

  listening(
    'of a message that is over is one event and the end, for any message under /notifications',
    async ({ service, given, url }) => {
      const messageId = await send(service, await usersWithPhones(service, 1), { promotional: false })
      await drain(service)
      const admin = await given.admin()
      const stream = await openStream(`${url}${ANY}/${messageId}/progress`, admin)
      expect(await stream.next()).toMatchObject({ event: 'progress', data: { status: 'completed' } })
      expect(await stream.next()).toEqual({ event: 'end', data: { reason: 'completed' } })
      expectError(
        await service.app.inject({ url: `${CAMPAIGN}/${messageId}/progress`, headers: admin.headers }),
        404,
        'NOT_FOUND',
      )
    },
  )

  listening('asks the database no more once the watcher is gone', async ({ service, given, url }) => {
    const messageId = await running(service)
    const stream = await openStream(`${url}${CAMPAIGN}/${messageId}/progress`, await given.admin())
    expect(await stream.next()).toMatchObject({ data: { status: 'sending' } })
    let asked = 0
    service.deps.pool.on('acquire', () => asked++)
    stream.leave()
    await expect(stream.next()).rejects.toThrow('aborted')
    // Longer than the second between two looks.
    await sleep(1_200)
    expect(asked).toBe(0)
  })

  listening.for(['logout', 'suspension', 'a lesser role', 'deletion'])(
    'ends within seconds after %s of its watcher, with a token and by a link',
    async (change, { service, given, url }) => {
      const messageId = await running(service)
      const boss = await givenPanel(service, 'super_admin')
      const admin = await given.admin()
      const streams = [
        await openStream(`${url}${CAMPAIGN}/${messageId}/progress`, admin),
        await openStream(url + (await readLink(service, admin, messageId))),
      ]
      for (const stream of streams) expect(await stream.next()).toMatchObject({ event: 'progress' })
      const ending = {
        logout: () => service.app.inject({ url: '/api/admin/v1/logout', headers: admin.headers }),
        suspension: () => boss.patch('/user-update', { id: admin.userId, status: 'suspended', status_reason: 'rude' }),
        'a lesser role': () => boss.patch('/user-update', { id: admin.userId, role: 'analyst' }),
        deletion: () => boss.delete(`/user/${admin.userId}`),
      }[change]!
      expect((await ending()).statusCode).toBe(200)
      for (const stream of streams) {
        expect(await stream.next()).toEqual({ event: 'end', data: { reason: 'session_ended' } })
        expect(await stream.next()).toBeUndefined()
      }
    },
  )

  listening(
    'is open 4 times for one administrator, and a fifth when one is closed',
    async ({ service, given, url }) => {
      const admin = await given.admin()
      const messageId = await running(service)
      const address = `${CAMPAIGN}/${messageId}/progress`
      const link = await readLink(service, admin, messageId)
      const streams = []
      for (const path of [address, link, address, link])
        streams.push(await openStream(url + path, path === address ? admin : undefined))
      for (const stream of streams) expect(await stream.next()).toMatchObject({ event: 'progress' })
      for (const [path, headers] of [
        [address, admin.headers],
        [link, {}],
      ] as const) {
        const refused = await service.app.inject({ url: path, headers })
        expectError(refused, 429, 'RATE_LIMITED')
        expect(refused.headers['retry-after']).toBe('5')
      }
      const other = await openStream(url + address, await given.admin())
      expect(other.status).toBe(200)
      streams[0]!.leave()
      const again = async () => {
        const stream = await openStream(url + address, admin)
        stream.leave()
        return stream.status
      }
      await expect.poll(again).toBe(200)
      for (const stream of [...streams, other]) stream.leave()
    },
  )

  listening('ends when the process shuts down', async ({ service, given, url }) => {
    const messageId = await running(service)
    const stream = await openStream(`${url}${CAMPAIGN}/${messageId}/progress`, await given.admin())
    await stream.next()
    service.deps.lifecycle.draining = true
    expect(await stream.next()).toEqual({ event: 'end', data: { reason: 'draining' } })
    expect(await stream.next()).toBeUndefined()
    service.deps.lifecycle.draining = false
  })
})

describe('POST …/{notification_id}/progress-link', () => {
  listening(
    'gives an address that an EventSource can follow for 5 minutes, also again',
    async ({ service, given, url, clock }) => {
      const admin = await given.admin()
      const messageId = await running(service)
      const answer = await ask(service, admin, messageId)
      expect(answer.json()).toEqual({
        success: true,
        message: 'Progress link',
        data: {
          url: expect.stringMatching(new RegExp(`^${ANY}/${messageId}/progress-stream\\?link=`)) as string,
          expires_at: new Date(Math.floor(clock.now() / 1_000) * 1_000 + 300_000).toISOString(),
        },
      })
      const link = await readLink(service, admin, messageId)
      for (const _ of ['first', 'again']) {
        const stream = await openStream(url + link)
        expect(stream.headers.get('cache-control')).toBe('no-store')
        expect(await stream.next()).toMatchObject({ event: 'progress', data: { notification_id: messageId } })
        stream.leave()
      }
      await clock.tick(300_000)
      expectError(await service.app.inject({ url: link }), 404, 'NOT_FOUND')
    },
  )

  test('works for one campaign, unchanged, while the session is valid', async ({ service, given }) => {
    const admin = await given.admin()
    const [messageId, other] = [await running(service), await running(service)]
    await drain(service)
    const link = await readLink(service, admin, messageId)
    expect((await service.app.inject({ url: link })).body).toContain('event: end')
    const bad = [
      link.replace(`/${messageId}/`, `/${other}/`),
      link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      `${link}x`,
    ]
    for (const url of bad) expectError(await service.app.inject({ url }), 404, 'NOT_FOUND')
    expectInvalid(await service.app.inject({ url: link.split('?')[0]! }), 'link')
    const file = await service.app.inject({ url: `/api/admin/v1/users-export/${messageId}/file?${link.split('?')[1]}` })
    expectError(file, 404, 'NOT_FOUND')
    await service.app.inject({ url: '/api/admin/v1/logout', headers: admin.headers })
    expectError(await service.app.inject({ url: link }), 404, 'NOT_FOUND')
  })

  test('needs the right to campaigns and a message that exists', async ({ service, given }) => {
    const usual = await send(service, await usersWithPhones(service, 1), { promotional: false })
    const admin = await given.admin()
    expectError(await ask(service, admin, usual), 404, 'NOT_FOUND')
    expect((await ask(service, admin, usual, ANY)).statusCode).toBe(200)
    expectError(await ask(service, admin, 999_999_999, ANY), 404, 'NOT_FOUND')
    for (const role of ['user', 'analyst', 'moderator'] as const)
      expectError(await ask(service, await given.user({ role }), usual, ANY), 403, 'FORBIDDEN')
  })
})
