// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { until } from './support/until.ts'

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url))

test('a new user’s first campaign: three phones, two delivered, one dead token removed, one opened, and right numbers', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swapbell front door '))
  // Root's PostgreSQL runs as another user, who must be able to enter.
  await chmod(dataDir, 0o755)
  const trial = spawn(process.execPath, [START], {
    env: { ...process.env, PORT: '0', SIM_PORT: '0', DATA_DIR: dataDir, DEMO_DATA: 'off' },
  })
  try {
    const summary = await untilReady(trial)
    const api = client(/API\s+(http\S+)/.exec(summary)?.[1] ?? '')
    const [, email, password] = /Sign in with\s+(\S+)\s+Password\s+(\S+)/.exec(summary) ?? []
    const admin = (await api.post('/api/admin/v1/login', { email, password })).token

    const phones = []
    for (const name of ['ann', 'bob', 'dead-cho']) {
      const { token } = await api.post('/api/v1/register', {
        email: `${name}@example.com`,
        password: 'long enough',
        name,
      })
      const device = { token: `ExponentPushToken[${name}]`, device_id: `phone-of-${name}`, platform: 'ios' }
      await api.post('/api/user/save-phone-token', device, token)
      phones.push(token)
    }
    const campaign = { title: 'Hello', text: 'Swap weekend', data: { link: 'swapbell://weekend' } }
    const { notification_id } = await api.post('/api/admin/send-notification-all', campaign, admin)
    await until('the campaign was completed', 0, async () => (await readReport(api, admin)).status === 'completed')
    // A provider takes a moment to have receipts; asking again is harmless.
    await until('the receipts had come', 0, async () => {
      await api.get('/api/admin/process-receipts', admin)
      return (await readReport(api, admin)).counts.delivered === 2
    })
    const [entry] = (await api.get('/api/notification', phones[0])) as unknown as { notification_id: number }[]
    await api.get(`/api/notification/${entry?.notification_id}/read`, phones[0])

    expect(await readReport(api, admin)).toMatchObject({
      notification_id,
      status: 'completed',
      counts: { selected: 4, notified: 3, notifications: 3, sent: 2, delivered: 2, failed: 1, opened: 1, pending: 0 },
    })
    const again = await api.post('/api/admin/send-notification-all/preview', campaign, admin)
    expect(again).toMatchObject({ devices: { total: 2 } })
  } finally {
    trial.kill('SIGTERM')
    const [code] = (await once(trial, 'exit')) as [number | null]
    await rm(dataDir, { recursive: true, force: true })
    expect(code).toBe(0)
  }
})

type Api = ReturnType<typeof client>
type Answer = Record<string, unknown> & { token: string; notification_id: number }

function client(url: string) {
  const call = async (method: string, path: string, token: string | undefined, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = (await answer.json()) as { success: boolean; data: Answer }
    expect(json, `${method} ${path}`).toMatchObject({ success: true })
    return json.data
  }
  return {
    get: (path: string, token?: string) => call('GET', path, token),
    post: (path: string, body: unknown, token?: string) => call('POST', path, token, body),
  }
}

async function readReport(api: Api, admin: string) {
  const [report] = (await api.get('/api/admin/promotional-notifications', admin)) as unknown as {
    status: string
    counts: { delivered: number }
  }[]
  if (!report) throw new Error('There is no campaign.')
  return report
}

async function untilReady(trial: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of trial.stdout ?? []) {
    printed += String(chunk)
    if (printed.includes('Ctrl-C')) return printed
  }
  throw new Error(`The trial ended before it was ready:\n${printed}`)
}
