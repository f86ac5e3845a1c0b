import { readFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { expect, onTestFinished } from 'vitest'
import type { App } from '../../server/src/platform/http/routes.ts'
import { encodePushes } from '../../server/src/push/provider/expo/expo-protocol.ts'
import type { Push } from '../../server/src/push/provider/provider.ts'
import { test } from '../../server/test/support/app.ts'
import { drain } from '../../server/test/support/drain.ts'
import { APP_OPERATIONS as OPERATIONS } from '../src/app-operations.ts'
import { apple, browser, google, startDirect } from './direct-providers.ts'

const PAGE = new URL('../../docs/mobile.md', import.meta.url).pathname
const ACCOUNT = { email: 'ann@example.com', password: 'long enough' }
const DEVICE = 'b2f1c0de-0000-4000-8000-000000000001'

test('docs/mobile.md shows requests and answers as they are (npm test -- client/test -u writes them)', async ({
  service,
  given,
}) => {
  const { app, simulator } = service
  const blocks = new Map<string, string>()
  const call = async (name: keyof typeof OPERATIONS, url: string, token?: string, body?: object) => {
    const asked = await exchange(app, { method: OPERATIONS[name][0], url, token, body })
    blocks.set(name, asked.text)
    return asked.json
  }
  await exchange(app, { method: 'POST', url: '/api/v1/register', body: { ...ACCOUNT, name: 'Ann' } })
  const { data: session } = await call('signIn', '/api/v1/login', undefined, ACCOUNT)
  const token = String(session['token'])
  const pushToken = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]'
  await call('registerPhone', '/api/user/save-phone-token', token, {
    token: pushToken,
    device_id: DEVICE,
    platform: 'ios',
  })
  const { user_id } = session['user'] as { user_id: number }
  const admin = await given.admin()
  const payload = { user_ids: [user_id], title: 'Swap weekend', text: 'Near you', data: { link: 'swapbell://weekend' } }
  const sent = await app.inject({
    method: 'POST',
    url: '/api/admin/send-notification',
    headers: admin.headers,
    payload,
  })
  expect(sent.statusCode).toBe(202)
  await drain(service)
  const [accepted] = simulator.log()
  expect(accepted).toMatchObject({ token: pushToken })
  const inbox = await call('listUnreadNotifications', '/api/notification', token)
  const [{ notification_id: id }] = inbox.data as unknown as [{ notification_id: number }]
  const { title, text: body, data } = payload
  const push = { to: pushToken, notificationId: id, platform: 'ios', expiresAt: new Date(0), badge: 1 } as const
  const content = { title, body, data, urgent: true, mergeKey: null }
  const [encoded] = JSON.parse(encodePushes([{ ...push, content, isProven: true }])) as [Record<string, unknown>]
  expect(encoded['collapseId']).toBe(accepted!.collapseId)
  blocks.set('push', `\`\`\`json\n${shown(encoded)}\n\`\`\``)
  await call('getBadge', '/api/v1/badge', token)
  await call('recordNotificationEvent', `/api/notification/${id}/events`, token, { event: 'shown' })
  await call('markNotificationRead', `/api/notification/${id}/read`, token)
  await call('signOut', `/api/v1/logout?device_id=${DEVICE}`, token)
  await showDirect(blocks, { ...push, content: { title, body, data, urgent: true, mergeKey: null }, isProven: true })

  const page = readFileSync(PAGE, 'utf8')
  const names = [...page.matchAll(/<!-- \/(\w+) -->/g)].map(([, name = '']) => name)
  expect(names.toSorted()).toEqual([...blocks.keys()].toSorted())
  const written = page.replaceAll(
    /<!-- (\w+) -->[^]*?<!-- \/\1 -->/g,
    (_, name: string) => `<!-- ${name} -->\n\n${blocks.get(name)}\n\n<!-- /${name} -->`,
  )
  await expect(await format(written, { ...(await resolveConfig(PAGE)), filepath: PAGE })).toMatchFileSnapshot(PAGE)
})

/** What phones without Expo register, and what is sent to them. */
async function showDirect(blocks: Map<string, string>, push: Push): Promise<void> {
  const service = await startDirect()
  onTestFinished(() => service.close())
  const { headers } = await service.given.user()
  const token = headers.authorization.slice('Bearer '.length)
  for (const [name, { phone, encode }] of Object.entries({ Apple: apple, Google: google, Browser: browser })) {
    const body = { ...phone, device_id: DEVICE }
    const asked = await exchange(service.app, { method: 'POST', url: '/api/user/save-phone-token', token, body })
    // The answer is that of a phone with Expo.
    blocks.set(`register${name}`, asked.text.replace(/\n\nAnswers [^]*/, ''))
    blocks.set(name.toLowerCase(), `\`\`\`json\n${shown(JSON.parse(encode(push)))}\n\`\`\``)
  }
}

type Asked = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  token?: string | undefined
  body?: object | undefined
}

/** Makes a call; gives its answer, and both as a page shows them. */
async function exchange(app: App, { method, url, token, body }: Asked) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
  expect(answer.statusCode, `${method} ${url}`).toBeLessThan(300)
  const json = answer.json<{ data: Record<string, unknown> }>()
  const head = [`${method} ${url}`, ...(token === undefined ? [] : ['Authorization: Bearer eyJ…'])]
  const sent = body === undefined ? [] : ['Content-Type: application/json', '', JSON.stringify(body)]
  const request = `\`\`\`http\n${[...head, ...sent].join('\n')}\n\`\`\``
  return { json, text: `${request}\n\nAnswers ${answer.statusCode}:\n\n\`\`\`json\n${shown(json)}\n\`\`\`` }
}

/** JSON without what differs from run to run. */
function shown(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/"eyJ[\w.-]+"/g, '"eyJ…"')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '2026-11-22T09:30:00.000Z')
    .replaceAll(/"expiration": \d+/g, '"expiration": 1795426200')
    .replaceAll(/"username": "[^"]*"/g, '"username": "ann"')
}
