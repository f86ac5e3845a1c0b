// Slow: two seconds or more for the file.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { givenFcm, pushes } from '../../../../test/support/fcm.ts'

const MINUTE = 60_000
const UNREACHED = { kind: 'failing', code: 'ProviderUnavailable' }
const NOT_SENT = { kind: 'refused', code: 'ProviderUnavailable', retry: true }
const REFUSED = { kind: 'refused', code: 'Unauthorized', retry: true }

describe('an access token', () => {
  test('is asked for once, however many need it', async () => {
    const { google, provider } = await givenFcm()
    await Promise.all([provider.submit(pushes(50)), provider.submit(pushes(50)), provider.probe()])
    expect(google.state()).toMatchObject({ tokenRequests: 1, acceptedMessages: 100 })
  })

  test('is replaced in its last five minutes, beside the pushes', async () => {
    const { google, provider, clock } = await givenFcm()
    await provider.submit(pushes(1))
    clock.advance(54 * MINUTE)
    await provider.submit(pushes(1))
    expect(google.state().tokenRequests).toBe(1)
    clock.advance(MINUTE)
    const held = Promise.withResolvers<void>()
    google.script([{ match: 'token', until: held.promise }])
    expect((await provider.submit(pushes(3))).outcomes).toMatchObject(
      Array.from({ length: 3 }, () => ({ kind: 'accepted' })),
    )
    await expect.poll(() => google.state().tokenRequests).toBe(2)
    held.resolve()
    await expect.poll(() => google.state().accessTokens).toBe(2)
    clock.advance(10 * MINUTE)
    expect((await provider.submit(pushes(1))).outcomes).toMatchObject([{ kind: 'accepted' }])
    expect(google.state().tokenRequests).toBe(2)
  })

  test('that cannot be replaced yet serves to its end, and none is asked for sooner than after 10 s', async () => {
    const { google, provider, clock } = await givenFcm({ google: { tokenSeconds: 600 } })
    await provider.submit(pushes(1))
    clock.advance(8 * MINUTE)
    google.script([{ match: 'token', answer: { status: 500, body: 'Oops' }, times: 0 }])
    await provider.submit(pushes(1))
    await expect.poll(() => google.state().tokenRequests).toBe(2)
    expect((await provider.submit(pushes(1))).outcomes).toMatchObject([{ kind: 'accepted' }])
    expect(google.state().tokenRequests).toBe(2)
    clock.advance(3 * MINUTE)
    expect(await provider.submit(pushes(2))).toEqual({
      outcomes: [NOT_SENT, NOT_SENT],
      wasSent: [false, false],
      health: UNREACHED,
    })
    await provider.submit(pushes(1))
    expect(google.state().tokenRequests).toBe(3)
    google.clearScript()
    clock.advance(10_000)
    expect((await provider.submit(pushes(1))).outcomes).toMatchObject([{ kind: 'accepted' }])
  })

  test('that lives for less than ten minutes is replaced in the second half of its life, and not at every push', async () => {
    const { google, provider, clock } = await givenFcm({ google: { tokenSeconds: 200 } })
    for (let n = 0; n < 3; n++) {
      await provider.submit(pushes(1))
      clock.advance(30_000)
    }
    expect(google.state().tokenRequests).toBe(1)
    clock.advance(30_000)
    await provider.submit(pushes(1))
    await expect.poll(() => google.state().tokenRequests).toBe(2)
  })

  test.for([0, -60, 'soon'])(
    'that ends in %j seconds is none, and the next is asked for 10 s later',
    async (seconds) => {
      const { google, provider } = await givenFcm()
      const body = JSON.stringify({ access_token: 'one', expires_in: seconds })
      google.script([{ match: 'token', answer: { status: 200, body }, times: 0 }])
      for (let n = 0; n < 3; n++) expect((await provider.submit(pushes(1))).health).toEqual(UNREACHED)
      expect(google.state().tokenRequests).toBe(1)
    },
  )

  test('that is void is replaced once, and the pushes are sent again at once', async () => {
    const { google, provider, clock } = await givenFcm()
    await provider.submit(pushes(1))
    clock.advance(2 * MINUTE)
    google.voidTokens()
    const { outcomes, health } = await provider.submit(pushes(200))
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([])
    expect(health).toEqual({ kind: 'healthy' })
    expect(google.state()).toMatchObject({ tokenRequests: 2, acceptedMessages: 201, duplicates: 1 })
  })

  test('that is void although it is new halts the provider', async () => {
    const { google, provider, clock } = await givenFcm()
    await provider.submit(pushes(1))
    clock.advance(2 * MINUTE)
    google.script([{ match: 'send', answer: 'UNAUTHENTICATED', times: 0 }])
    const { outcomes, health } = await provider.submit(pushes(3))
    expect(outcomes).toContainEqual(REFUSED)
    expect(health).toMatchObject({ kind: 'misconfigured', advice: expect.stringContaining('401') })
    expect(google.state()).toMatchObject({ tokenRequests: 2, acceptedMessages: 1 })
  })
})

describe('a token endpoint', () => {
  test('that is away sends nothing, and is no fault of ours', async () => {
    const { provider } = await givenFcm({ settings: { token_address: 'https://localhost:1/token' } })
    expect(await provider.submit(pushes(1))).toEqual({ outcomes: [NOT_SENT], wasSent: [false], health: UNREACHED })
    expect(await provider.probe()).toEqual(UNREACHED)
  })

  test('that does not answer in time sends nothing', async () => {
    const { google, provider } = await givenFcm({ timeoutMs: 200 })
    google.script([{ match: 'token', until: new Promise(() => undefined), times: 0 }])
    expect(await provider.submit(pushes(1))).toEqual({ outcomes: [NOT_SENT], wasSent: [false], health: UNREACHED })
  })

  test.for([
    [429, '{}'],
    [500, '{}'],
    [503, '{}'],
    [400, '<html>'],
    [401, '<html>'],
    [403, '<html>Sign in to the network</html>'],
  ] as const)(
    'that answers %d with %s is asked once, not again and again, and halts nothing',
    async ([status, body]) => {
      const { google, provider } = await givenFcm()
      google.script([{ match: 'token', answer: { status, body }, times: 0 }])
      expect((await provider.submit(pushes(1))).health).toEqual(UNREACHED)
      expect(google.state().tokenRequests).toBe(1)
    },
  )

  test('whose answer is far longer than a token sends nothing, and halts nothing', async () => {
    const { google, provider } = await givenFcm()
    const body = JSON.stringify({ access_token: 'one', expires_in: 3_599, more: 'x'.repeat(200_000) })
    google.script([{ match: 'token', answer: { status: 200, body }, times: 0 }])
    expect(await provider.submit(pushes(1))).toEqual({ outcomes: [NOT_SENT], wasSent: [false], health: UNREACHED })
  })

  test('that knows no such account halts the provider, says why, and is asked again after 10 s', async () => {
    const { google, provider, clock, lines } = await givenFcm()
    google.removeAccounts()
    const advice = 'Google refuses the credentials: 400 invalid_grant: Invalid grant: account not found.'
    expect(await provider.submit(pushes(2))).toEqual({
      outcomes: [REFUSED, REFUSED],
      wasSent: [false, false],
      health: { kind: 'misconfigured', code: 'Unauthorized', advice },
    })
    // A resume right after the account was put back must not halt once more.
    for (const health of [await provider.probe(), (await provider.submit(pushes(2))).health])
      expect(health).toEqual(UNREACHED)
    expect(lines()).toMatchObject([{ level: 'error', msg: advice }])
    clock.advance(10_000)
    expect(await provider.probe()).toMatchObject({ kind: 'misconfigured' })
  })

  test('that refused a next token beside the pushes halts the provider when the token before is void', async () => {
    const { google, provider, clock } = await givenFcm()
    await provider.submit(pushes(1))
    clock.advance(56 * MINUTE)
    const body = JSON.stringify({ error: 'invalid_grant', error_description: 'Invalid grant: account not found.' })
    google.script([{ match: 'token', answer: { status: 400, body }, times: 0 }])
    expect((await provider.submit(pushes(1))).outcomes).toMatchObject([{ kind: 'accepted' }])
    await expect.poll(() => google.state().tokenRequests).toBe(2)
    google.voidTokens()
    expect((await provider.submit(pushes(1))).health).toMatchObject({ kind: 'misconfigured' })
    expect((await provider.submit(pushes(1))).health).toEqual(UNREACHED)
  })

  test('that has another clock is named with the seconds', async () => {
    const { google, provider } = await givenFcm()
    google.advance(61 * MINUTE)
    const { health } = await provider.submit(pushes(1))
    expect(health).toMatchObject({ kind: 'misconfigured' })
    const { advice = '' } = health as { advice?: string }
    const [, seconds] = /clock of this machine is (\d+) seconds behind Google's: set it/.exec(advice) ?? []
    expect(Math.abs(Number(seconds) - 3_660)).toBeLessThanOrEqual(60)
  })
})

test('an account without the right to send halts the provider', async () => {
  const { google, provider } = await givenFcm({ credentials: (of) => of.addAccount({ maySend: false }) })
  const { health } = await provider.submit(pushes(2))
  expect(health).toMatchObject({ kind: 'misconfigured', advice: expect.stringContaining('cloudmessaging') })
  expect(await provider.probe()).toMatchObject({ kind: 'misconfigured' })
  expect(google.log()).toEqual([])
})

describe('workload identity', () => {
  test.for([true, false])(
    'sends with the token of another service (as a service account: %s)',
    async (impersonates) => {
      const file = subjectFile('subject-1')
      const { google, provider, clock } = await givenFcm({
        credentials: (of) => of.addWorkload(file, 'subject-1', { impersonates }),
        settings: { project: 'swapbell-double' },
      })
      expect((await provider.submit(pushes(2))).outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }])
      clock.advance(61 * MINUTE)
      writeFileSync(file, 'subject-2')
      google.addWorkload(file, 'subject-2', { impersonates })
      expect((await provider.submit(pushes(1))).outcomes).toMatchObject([{ kind: 'accepted' }])
    },
  )

  test('whose token is not taken halts the provider; one whose file is missing does not', async () => {
    const wrong = await givenFcm({
      credentials: (of) => of.addWorkload(subjectFile('another'), 'subject'),
      settings: { project: 'swapbell-double' },
    })
    expect((await wrong.provider.submit(pushes(1))).health).toMatchObject({
      kind: 'misconfigured',
      advice: expect.stringContaining('The subject token is not of this pool'),
    })
    const missing = await givenFcm({
      credentials: (of) => of.addWorkload('/nowhere/token', 'subject'),
      settings: { project: 'swapbell-double' },
    })
    expect((await missing.provider.submit(pushes(1))).health).toEqual(UNREACHED)
  })
})

function subjectFile(token: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'swapbell-subject-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  writeFileSync(file, token)
  return file
}
