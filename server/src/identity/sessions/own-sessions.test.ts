import { describe, expect, test as pure } from 'vitest'
import { bearer, get, insertAccount, PASSWORD } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { coarseNetwork } from '../../platform/shared/networks.ts'
import { deviceName } from './device-name.ts'

const SESSIONS = '/api/v1/account/sessions'
const MINUTE_MS = 60_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('One’s own sessions', () => {
  test('show device, network and last use; one is ended, or all others', async ({ service }) => {
    const { app, clock, deps } = service
    const { email } = await insertAccount(deps)
    const phone = await login(service, email, 'Swapbell/3 CFNetwork/1.0 Darwin/25', '203.0.113.77')
    const laptop = await login(service, email, FIREFOX, '2001:db8:7:8::9')
    const third = await login(service, email, 'curl/8', '203.0.113.77')
    await clock.setTime(clock.now() + 61 * MINUTE_MS)
    await get(app, '/api/v1/account', laptop)
    await deps.sessions.flush()
    const shown = (await get(app, SESSIONS, laptop)).json().data
    expect(shown.map(({ device, network }: Shown) => [device, network])).toEqual([
      ['Firefox on Linux', '2001:db8:7::/48'],
      ...expectAnyOrder(shown, [
        ['App on iPhone or iPad', '203.0.113.0/24'],
        [null, '203.0.113.0/24'],
      ]),
    ])
    expect(shown[0]).toMatchObject({ is_current: true, last_seen_at: new Date(clock.now()).toISOString() })
    expect(shown.filter((one: Shown) => one.is_current)).toHaveLength(1)
    expect(JSON.stringify(shown)).not.toContain('203.0.113.77')

    const [ofPhone] = shown.filter((one: Shown) => one.device?.startsWith('App'))
    expect((await end(service, laptop, `/${ofPhone.id}`)).statusCode).toBe(200)
    expect((await get(app, '/api/v1/account', phone)).statusCode).toBe(401)
    expect((await end(service, laptop, `/${ofPhone.id}`)).statusCode).toBe(404)
    expect((await end(service, laptop)).statusCode).toBe(200)
    expect((await get(app, '/api/v1/account', third)).statusCode).toBe(401)
    expect((await get(app, SESSIONS, laptop)).json().data).toHaveLength(1)
  })

  test('cannot be ended by others', async ({ service }) => {
    const { email } = await insertAccount(service.deps)
    const token = await login(service, email, FIREFOX, '203.0.113.77')
    const [own] = (await get(service.app, SESSIONS, token)).json().data
    const admin = await service.given.admin()
    const answer = await service.app.inject({ method: 'DELETE', url: `${SESSIONS}/${own.id}`, headers: admin.headers })
    expect(answer.statusCode).toBe(404)
    expect((await end(service, token, '/none')).statusCode).toBe(422)
    expect((await get(service.app, SESSIONS, token)).statusCode).toBe(200)
  })

  test('of staff leave an audit entry when they are ended', async ({ service }) => {
    const { user } = await givenPanel(service, 'analyst')
    expect((await service.app.inject({ method: 'DELETE', url: SESSIONS, headers: user.headers })).statusCode).toBe(200)
    const panel = await givenPanel(service)
    const { data } = (await panel.get(`/audit-log?action=user.session-end&entity_id=${user.userId}`)).json()
    expect(data).toMatchObject([{ actor: { user_id: user.userId } }])
  })

  test('are stored as seen at most once an hour', async ({ service }) => {
    const { app, deps, clock } = service
    const { email } = await insertAccount(deps)
    const token = await login(service, email, FIREFOX, '203.0.113.77')
    const seen = async () => {
      await clock.setTime(clock.now() + 20 * MINUTE_MS)
      const [session] = (await get(app, SESSIONS, token)).json().data
      await deps.sessions.flush()
      return (clock.now() - Date.parse(session.last_seen_at)) / MINUTE_MS
    }
    // The values are minutes: after the third call, the fourth shows what it stored.
    expect([await seen(), await seen(), await seen(), await seen(), await seen()].map(Math.round)).toEqual([
      20, 40, 60, 20, 40,
    ])
  })
})

pure.for([
  [FIREFOX, 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36 Edg/140',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605 Version/26 Mobile Safari/604',
    'Safari on iPhone',
  ],
  ['okhttp/5.1', 'App on Android'],
  ['Zaphodmark', null],
  [null, null],
] as const)('%s is shown as %s', ([agent, name]) => {
  expect(deviceName(agent)).toBe(name)
})

pure('a network is shown without its last part', () => {
  expect(['203.0.113.77', '::ffff:203.0.113.77', '2001:db8:1:2::3', '::1'].map(coarseNetwork)).toEqual([
    '203.0.113.0/24',
    '203.0.113.0/24',
    '2001:db8:1::/48',
    '0:0:0::/48',
  ])
})

type Shown = { id: string; device: string | null; network: string | null; is_current: boolean }

/** The expected rows in the order in which the others came: they were last used at the same moment. */
function expectAnyOrder(shown: Shown[], rows: (string | null)[][]): (string | null)[][] {
  return shown[1]?.device === null ? rows.toReversed() : rows
}

async function login({ app }: Service, email: string, agent: string, remoteAddress: string): Promise<string> {
  const headers = { 'user-agent': agent }
  const payload = { email, password: PASSWORD }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/login', headers, remoteAddress, payload })
  return answer.json().data.token
}

function end({ app }: Service, token: string, which = '') {
  return app.inject({ method: 'DELETE', url: `${SESSIONS}${which}`, headers: bearer(token) })
}
