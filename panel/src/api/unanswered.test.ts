import { expect, onTestFinished, test, vi } from 'vitest'
import { createSend } from './send.ts'

const PASSWORDS = [
  { email: 'ann@example.com', password: 'correct horse' },
  { name: 'Ann', current_password: 'correct horse' },
  { user: { password: 'correct horse' } },
]

function givenLostAnswers() {
  const [stored, keys] = [new Map<string, string>(), [] as (string | null)[]]
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('fetch', async (request: Request) => {
    keys.push(request.headers.get('Idempotency-Key'))
    throw new TypeError('Nobody answers.')
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return { keys, kept: () => JSON.parse(stored.get('unanswered') ?? '[]') as unknown[] }
}

const post = (body: object, path = 'admin/v1/categories') =>
  new Request(`https://panel.example/api/${path}`, { method: 'POST', body: JSON.stringify(body), headers: {} })

test.for(PASSWORDS)(
  'a write with a password leaves nothing in the tab, and is repeated with its key: %j',
  async (body) => {
    const { keys, kept } = givenLostAnswers()
    const send = createSend()
    for (let n = 0; n < 2; n++) await expect(send(post(body))).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' })
    expect(kept()).toEqual([])
    expect(keys).toEqual([expect.any(String), keys[0]])
  },
)

test('a write without content, such as a pause, has a new key each time: what it did may have been undone since', async () => {
  const { keys, kept } = givenLostAnswers()
  const send = createSend()
  for (let n = 0; n < 2; n++) await expect(send(post({}))).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' })
  expect(kept()).toEqual([])
  expect(new Set(keys).size).toBe(2)
})

const AGAIN = [
  ['admin/push-status/halt', { reason: 'Wrong text' }],
  ['admin/v1/user/7/mails', { kind: 'password' }],
  ['admin/v1/users-export', { format: 'csv' }],
  ['v1/account/second-factor/recovery-codes', { code: '123456' }],
] as const

test.for(AGAIN)(
  'a write that acts again, or whose key nobody reads, keeps none and promises nothing: %s',
  async ([path, body]) => {
    const { keys, kept } = givenLostAnswers()
    const send = createSend()
    for (let n = 0; n < 2; n++)
      await expect(send(post(body, path))).rejects.toMatchObject({
        message: expect.not.stringContaining('not done twice'),
      })
    expect(kept()).toEqual([])
    expect(new Set(keys).size).toBe(2)
  },
)

test('an equal write an hour later is a new one', async () => {
  const { keys } = givenLostAnswers()
  const now = vi.spyOn(Date, 'now')
  onTestFinished(() => now.mockRestore())
  for (const at of [1_000, 3_601_000]) {
    now.mockReturnValue(at)
    await expect(createSend()(post({ title: 'Again' }))).rejects.toMatchObject({
      message: expect.stringContaining('not done twice'),
    })
  }
  expect(new Set(keys).size).toBe(2)
})

test('any other write keeps its key in the tab', async () => {
  const { keys, kept } = givenLostAnswers()
  await expect(createSend()(post({ title: 'The password' }))).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' })
  await expect(createSend()(post({ title: 'The password' }))).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' })
  expect(kept()).toHaveLength(1)
  expect(keys).toEqual([expect.any(String), keys[0]])
})
