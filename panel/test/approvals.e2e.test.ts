// Slow: a browser.
import { describe, expect, onTestFinished } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { givenApprovals } from '../../server/test/support/factor-calls.ts'
import { startService } from '../../server/test/support/service.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedIn, signedInAt, test, type World } from './world.ts'

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
    const page = await signedInAt(world, '/approvals')
    const named = page.getByRole('list', { name: 'To whom' })
    const more = page.getByRole('button', { name: '2 more users' })
    await more.waitFor()
    const links = named.getByRole('link')
    await expect.poll(() => links.count()).toBe(20)
    expect(await links.first().getAttribute('href')).toBe(`/users/${people[0]?.userId}`)
    await expectAccessible(page, '/approvals')
    await more.click()
    await named.getByRole('link', { name: people[21]!.name }).waitFor()
    await expect.poll(() => links.count()).toBe(22)
    await service.deps.db.deleteFrom('approvals').execute()
  })

  test('show all that would be sent; another administrator approves one and refuses one', async ({ world }) => {
    const asked = await givenApprovals(world.service)
    const page = await signedInAt(world, '/approvals', { viewport: { width: 360, height: 740 } })
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

  test('are announced before a send, which leads to its request and leaves an empty form', async ({ world }) => {
    const { service, page } = await strictPanel(world)
    await service.given.user({ devices: [{}] })
    const waiting = service.deps.db.selectFrom('approvals').select('approval_id').where('status', '=', 'waiting')
    for (const again of [false, true]) {
      if (again) await service.deps.db.updateTable('approvals').set({ status: 'refused' }).execute()
      await page.goto('/notifications/new')
      expect(await page.getByLabel('Title').inputValue()).toBe('')
      await page.getByLabel('Title').fill('Swap weekend')
      await page.getByLabel('Text').fill('Three new items near you')
      await page.getByRole('button', { name: 'Send…' }).click()
      await page.getByText('A second administrator must approve this first.').waitFor()
      await page.getByRole('button', { name: 'Ask to send to one user' }).click()
      await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
      await page.getByText('Send to one user').waitFor()
      expect(await waiting.execute()).toHaveLength(1)
    }
  })

  test('are asked for by a send to named people that one administrator may not make alone', async ({ world }) => {
    const { service, page } = await strictPanel(world)
    const { userId } = await service.given.user({ name: 'Nina Named', devices: [{}] })
    await page.goto('/notifications/new')
    await page.getByLabel('Title').fill('For you')
    await page.getByLabel('Text').fill('Three new items near you')
    await page.getByText('Named users', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Users' }).fill('Nina')
    await page.getByRole('option', { name: 'Nina Named' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Send…' }).click()
    await page.getByRole('button', { name: 'Send to one user' }).click()
    await page.getByText('This waits for a second administrator.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
    await page.getByText('Three new items near you').waitFor()
    const named = page.getByRole('list', { name: 'To whom' }).getByRole('link', { name: 'Nina Named' })
    expect(await named.getAttribute('href')).toBe(`/users/${userId}`)
    const messages = service.deps.db.selectFrom('messages').select('message_id')
    expect(await messages.execute()).toEqual([])
  })

  test('are announced before a change of many accounts, which then waits', async ({ world }) => {
    const { service, page, email } = await strictPanel(world)
    const payload = { email, password: PASSWORD }
    const signIn = await service.app.inject({ method: 'POST', url: '/api/admin/v1/login', payload })
    const headers = { authorization: `Bearer ${signIn.json<{ data: { token: string } }>().data.token}` }
    const users = [await service.given.user(), await service.given.user()]
    const prepared = await service.app.inject({
      method: 'POST',
      url: '/api/admin/v1/users-bulk',
      headers,
      payload: { action: 'suspend', ids: users.map(({ userId }) => userId) },
    })
    await page.goto(`/users/bulk/${prepared.json<{ data: { id: number } }>().data.id}`)
    await page.getByText('A second administrator must approve it.').waitFor()
    await page.getByRole('button', { name: 'Ask for approval' }).click()
    await page.getByRole('alert').getByText('This waits for a second administrator.').first().waitFor()
    await page.getByRole('button', { name: 'Ask for approval' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'See the request' }).click()
    await page.getByText('2 accounts').first().waitFor()
  })
})

async function strictPanel(world: World) {
  const service = await startService({ APPROVALS: ['sends', 'bulk-changes', 'roles'], APPROVAL_RECIPIENTS: 0 })
  onTestFinished(() => service.close())
  const { email } = await insertAccount(service.deps, { role: 'admin' })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  return { service, email, page: await signedIn({ ...world, service, url, email }) }
}
