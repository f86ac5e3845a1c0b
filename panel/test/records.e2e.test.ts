// Slow: a browser.
import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { parseCsv } from '../../server/test/support/downloads.ts'
import { drain } from '../../server/test/support/drain.ts'
import { givenPanel } from '../../server/test/support/panel.ts'
import { createHandlers } from '../../server/src/handlers.ts'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, signedIn, signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('lists and records in the panel', () => {
  test('gives and takes a role after the name was typed', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Mo Derator' })
    const page = await signedIn(world)
    const account = world.service.deps.db.selectFrom('users').select(['role', 'username'])
    const stored = () => account.where('user_id', '=', userId).executeTakeFirstOrThrow()
    const { username } = await stored()
    await page.getByRole('link', { name: 'Administrators' }).click()
    await page.getByRole('button', { name: 'Give a role…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Account' }).fill('Mo Derator')
    await page.getByRole('option', { name: /^Mo Derator/ }).click()
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'moderator' }).click()
    const give = dialog.getByRole('button', { name: 'Give the role' })
    expect(await give.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${username} to confirm`).fill(username)
    await give.click()
    await dialog.getByLabel('New password').first().fill('a long password indeed')
    await give.click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await stored()).role).toBe('moderator')
    await page
      .getByRole('row', { name: /Mo Derator/ })
      .getByRole('button', { name: 'Take away…' })
      .click()
    await dialog.getByLabel(`Type ${username} to confirm`).fill(username)
    await dialog.getByRole('button', { name: 'Take the role away' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await stored()).role).toBe('user')
  })

  test('makes an export in the background, whose file has every user of the database', async ({ world }) => {
    const { service } = world
    await service.given.user({ name: 'Zoë "Quote", Comma' })
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor()
    await page.getByText('queued').waitFor()
    const [{ export_id: exportId } = { export_id: 0 }] = await service.deps.db
      .selectFrom('exports')
      .select('export_id')
      .execute()
    await createHandlers(service.deps)['run-export']({ exportId }, new AbortController().signal)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await (await downloading).path()
    const [header = [], ...rows] = parseCsv(await readFile(file, 'utf8'))
    const users = service.deps.db.selectFrom('users').select(['user_id', 'name']).where('deleted_at', 'is', null)
    const stored = (await users.execute()).map(({ user_id, name }) => [String(user_id), name])
    const [id, name] = [header.indexOf('id'), header.indexOf('name')]
    const written = rows.map((row) => [row[id], row[name]])
    expect(written).toHaveLength(stored.length)
    expect(new Map(written as [string, string][])).toEqual(new Map(stored as [string, string][]))
  })

  test('keeps the choice of columns in the address', async ({ world }) => {
    const page = await signedInAt(world, '/users?sort_by=name')
    await page.getByRole('columnheader', { name: 'Phones' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Phones' }).uncheck()
    await page.getByRole('columnheader', { name: 'Phones' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('columnheader', { name: 'Swaps' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Phones' }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('sort_by')).toBe('name')
  })

  test('leads from an audit entry to the record as it was before, and as it is', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Nora Past' })
    const panel = await givenPanel(world.service)
    const data = { name: 'Nora Now', username: 'nora.now', email: 'nora@now.test', city: 'Lier', is_test_user: true }
    await panel.patch('/user-update', { id: userId, ...data })
    for (const city of ['Ghent', 'Bruges']) {
      await panel.patch('/user-update', { id: userId, city })
      await world.service.clock.tick(1_000)
    }
    const page = await signedInAt(world, `/audit?entity=user&entity_id=${userId}`)
    await page.getByText('one more field').waitFor()
    await page
      .getByRole('link', { name: `user no. ${userId}` })
      .first()
      .click()
    await page.getByRole('row', { name: /^city Ghent Bruges/ }).waitFor()
  })

  test('leads back from a record that is not there, and offers no retry that cannot succeed', async ({ world }) => {
    const page = await signedInAt(world, '/users?role=user')
    await page.goto('/users/999999')
    await page.getByRole('alert').getByText('This is not there, or not any more').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.waitForURL('**/users?role=user')
  })

  test('leads from a figure to its rows, and saves figures and picture', async ({ world }) => {
    const page = await emptyPage(world)
    await world.service.given.user()
    await createHandlers(world.service.deps)['refresh-insights']({}, new AbortController().signal)
    const today = new Date(world.service.clock.now()).toISOString().slice(0, 10)
    await page.goto(`/insights?start_date=${today}&end_date=${today}`)
    const accounts = page.getByRole('region', { name: 'Accounts' })
    const saved = async (item: string) => {
      const download = page.waitForEvent('download')
      await accounts.getByRole('button', { name: 'Accounts: download' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      return (await download).suggestedFilename()
    }
    expect(await saved('Picture (PNG)')).toBe('active-inactive-accounts.png')
    expect(await saved('Figures (CSV)')).toBe('active-inactive-accounts.csv')
    await accounts.getByText('Table').click()
    const figure = accounts.getByRole('row').nth(1).getByRole('link').first()
    const count = await figure.innerText()
    await figure.click()
    await page.getByText(`${count} in all`).waitFor()
  })

  test('compares each line of a chart with one of the time before, and none where nothing is compared', async ({
    world,
  }) => {
    const page = await emptyPage(world)
    const lines = page.getByRole('region', { name: 'Accounts' }).locator('path.recharts-line-curve')
    const dashed = () => lines.and(page.locator('[stroke-dasharray="5 5"]')).count()
    await page.goto('/insights?compare=previous_period')
    await expect.poll(() => lines.count()).toBe(4)
    await expect.poll(dashed).toBe(2)
    await page.goto('/insights?compare=none')
    await expect.poll(() => lines.count()).toBe(2)
    expect(await dashed()).toBe(0)
  })

  test('suspends everybody who matches, shows the result of each, and takes it back', async ({ world }) => {
    const { service } = world
    for (const name of ['Carol', 'Dora', 'Eve']) await service.given.user({ name: `${name} Bulkson` })
    const statuses = async () => {
      const rows = service.deps.db.selectFrom('users').select('status').where('name', 'like', '% Bulkson')
      return (await rows.execute()).map(({ status }) => status)
    }
    const page = await signedInAt(world, '/users?search=Bulkson&per_page=2')
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Select all 3 that match' }).click()
    await page.getByRole('button', { name: 'Change them' }).click()
    await page.getByRole('menuitem', { name: 'Suspend…' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('One person')
    await page.getByRole('button', { name: 'Show whom' }).click()
    await page.getByText('3 of 3 accounts will change').waitFor()
    expect(await statuses()).toEqual(['active', 'active', 'active'])
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('0 changed, 3 to go').waitFor()
    await drain(service)
    await page.getByText('Done: 3 changed').waitFor()
    expect(await statuses()).toEqual(['suspended', 'suspended', 'suspended'])
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByRole('heading', { level: 1, name: 'Take a change back' }).waitFor()
    await drain(service)
    await page.getByText('Done: 3 changed').waitFor()
    expect(await statuses()).toEqual(['active', 'active', 'active'])
  })
})
