// Slow: a browser.
import { describe, expect, onTestFinished, vi } from 'vitest'
import { insertAccount } from '../../server/test/support/accounts.ts'
import { givenApprovals } from '../../server/test/support/factor-calls.ts'
import { startService } from '../../server/test/support/service.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedIn, test } from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

describe.skipIf(CHROMIUM === undefined)('approvals in the panel', () => {
  test('show whom a prepared send names: the first twenty, each a link, and how many more', async ({ world }) => {
    const { service } = world
    const author = await service.given.admin()
    const people = await Promise.all(Array.from({ length: 22 }, () => service.given.user()))
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/admin/send-notification/approval',
      headers: author.headers,
      payload: { title: 'To some', text: 'Together', user_ids: people.map(({ userId }) => userId) },
    })
    expect(answer.statusCode).toBe(202)
    const page = await signedIn(world)
    await page.goto('/approvals')
    const named = page.getByRole('list', { name: 'To whom' })
    await named.getByText('2 more users').waitFor()
    const links = named.getByRole('link')
    expect(await links.count()).toBe(20)
    expect(await links.first().getAttribute('href')).toBe(`/users/${people[0]?.userId}`)
    await expectAccessible(page, '/approvals')
    await service.deps.db.deleteFrom('approvals').execute()
  })

  test('show all that would be sent; another administrator approves one and refuses one', async ({ world }) => {
    const asked = await givenApprovals(world.service)
    const page = await signedIn(world, { viewport: { width: 360, height: 740 } })
    await page.goto('/approvals')
    await page.getByText('Together').first().waitFor()
    await expectAccessible(page, '/approvals')
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('It was approved and is done.').waitFor()
    await page.getByRole('button', { name: 'Refuse' }).first().click()
    await page.getByLabel('Reason').fill('Not today')
    await page.getByRole('button', { name: 'Refuse it' }).click()
    await page.getByText('It was refused and is not done.').waitFor()
    const rows = await world.service.deps.db.selectFrom('approvals').select(['status', 'reason']).execute()
    expect(rows).toHaveLength(asked.length)
    expect(rows).toEqual(
      expect.arrayContaining([
        { status: 'approved', reason: null },
        { status: 'refused', reason: 'Not today' },
      ]),
    )
  })

  test('are requested again if the author repeats the send after a refusal', async ({ world }) => {
    const service = await startService({ APPROVALS: ['sends'], APPROVAL_RECIPIENTS: 0 })
    onTestFinished(() => service.close())
    await service.given.user({ devices: [{}] })
    const { email } = await insertAccount(service.deps, { role: 'admin' })
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await signedIn({ ...world, service, url, email })
    await page.goto('/notifications/new')
    await page.getByLabel('Title').fill('Swap weekend')
    await page.getByLabel('Text').fill('Three new items near you')
    const waiting = service.deps.db.selectFrom('approvals').select('approval_id').where('status', '=', 'waiting')
    for (const again of [false, true]) {
      if (again) await service.deps.db.updateTable('approvals').set({ status: 'refused' }).execute()
      await page.getByRole('button', { name: 'Send…' }).click()
      await page.getByRole('button', { name: 'Send to one user' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await waiting.execute()).toHaveLength(1)
    }
  })
})
