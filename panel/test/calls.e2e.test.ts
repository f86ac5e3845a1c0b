// Slow: a browser.
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { givenProposal } from '../../server/test/support/marketplace.ts'
import { CHROMIUM } from './chromium.ts'
import { signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('a call of the panel', () => {
  test('that finds the session ended is made after a sign-in over the page, and nothing typed is lost', async ({
    world,
  }) => {
    const { service } = world
    const { email, user_id: userId } = await insertAccount(service.deps, { role: 'admin' })
    const page = await signedInAt({ ...world, email }, '/categories')
    await page.getByRole('button', { name: 'Add a category' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a category' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before')
    await dialog.getByRole('textbox', { name: 'Short name' }).fill('typed-before')
    await service.deps.db.deleteFrom('sessions').where('user_id', '=', userId).execute()
    service.deps.sessions.forget(userId)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended. Sign in again.' })
    await again.getByLabel('Password').first().fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: 'Typed before', exact: true }).waitFor()
  })

  test('for a private chat is made once for a reason, also when everything is asked for again', async ({ world }) => {
    const { service } = world
    const { swapId } = await givenProposal(service)
    const { email, user_id: userId } = await insertAccount(service.deps, { role: 'admin' })
    const page = await signedInAt({ ...world, email }, `/swaps/${swapId}`)
    const reads: string[] = []
    page.on('request', (request) => reads.push(...(request.url().endsWith('/messages') ? [request.url()] : [])))
    await page.getByLabel('Why do you read what they wrote to each other?').fill('A report')
    await page.getByRole('button', { name: 'Show the messages' }).click()
    await page.getByText('They wrote nothing.').waitFor()
    await service.deps.db.deleteFrom('sessions').where('user_id', '=', userId).execute()
    service.deps.sessions.forget(userId)
    const look = () => page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000 }')
    const again = page.getByRole('dialog', { name: 'Your session has ended. Sign in again.' })
    await expect.poll(async () => (await look(), again.count())).toBe(1)
    await again.getByLabel('Password').first().fill(PASSWORD)
    const asked = page.waitForResponse((answer) => answer.url().includes(`/v1/swap/${swapId}`) && answer.ok())
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await asked
    await page.waitForLoadState('networkidle')
    expect(reads).toHaveLength(1)
  })

  test('whose answer is lost says so, and is made once however often it is repeated', async ({ world }) => {
    const page = await signedInAt(world, '/categories')
    await page.getByRole('button', { name: 'Add a category' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a category' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Sent once')
    await dialog.getByRole('textbox', { name: 'Short name' }).fill('sent-once')
    const keys: (string | undefined)[] = []
    await page.route('**/v1/categories', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('it is not known whether this was done').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]])
    const stored = world.service.deps.db.selectFrom('categories').select('name').where('slug', '=', 'sent-once')
    expect(await stored.execute()).toEqual([{ name: 'Sent once' }])
  })

  test('whose answer is lost is made once also when the page is reloaded in between, and keeps no text', async ({
    world,
  }) => {
    const { service } = world
    await service.given.user({ devices: [{}] })
    const page = await signedInAt(world, '/notifications/new')
    await page.getByLabel('Title').fill('Lost once')
    await page.getByLabel('Text').fill('Near you')
    const press = async () => {
      await page.getByRole('button', { name: 'Send…' }).click()
      await page.getByRole('button', { name: /^Send to (?:one|\d+) users?$/ }).click()
    }
    await page.route(
      '**/send-notification-all',
      async (route) => {
        await route.fetch()
        return route.abort()
      },
      { times: 1 },
    )
    await press()
    await page.getByText('it is not known whether this was done').waitFor()
    expect(await page.evaluate("sessionStorage.getItem('unanswered')")).toMatch(/^\[\["[0-9a-f]{64}","[\w-]+",\d+\]\]$/)
    await page.reload()
    await press()
    await page.getByRole('heading', { level: 2, name: 'Recipients' }).waitFor()
    const sent = service.deps.db.selectFrom('messages').select('message_id').where('title', '=', 'Lost once')
    expect(await sent.execute()).toHaveLength(1)
    await expect.poll(() => page.evaluate("sessionStorage.getItem('unanswered')")).toBe('[]')
  })
})
