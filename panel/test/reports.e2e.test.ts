// Slow: a browser.
import { describe, expect } from 'vitest'
import { insertAccount } from '../../server/test/support/accounts.ts'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { givenReport } from '../../server/test/support/product-reports.ts'
import type { Service } from '../../server/test/support/service.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedInAt, test } from './world.ts'

async function givenReported({ deps, given }: Service, title: string) {
  const owner = await given.user({ name: `Owner of ${title}` })
  const productId = await givenProduct(deps, owner, { title })
  const reportId = await givenReport(deps, { productId, reporterId: (await given.user()).userId })
  const report = deps.db.selectFrom('product_reports').select(['status', 'assigned_to'])
  return { owner, productId, stored: () => report.where('report_id', '=', reportId).executeTakeFirstOrThrow() }
}

describe.skipIf(CHROMIUM === undefined)('reports in the panel', () => {
  test('are taken at the desk, and given to another moderator in the list', async ({ world }) => {
    const { service } = world
    const { productId, stored } = await givenReported(service, 'Violin')
    const other = await insertAccount(service.deps, { role: 'moderator' })
    const page = await signedInAt(world, '/reports-desk')
    const card = page.getByRole('article', { name: 'Violin' })
    await card.getByText('nobody').waitFor()
    await expectAccessible(page, 'a report that nobody has')
    await card.getByRole('button', { name: 'Take', exact: true }).click()
    await card.getByText('nobody').waitFor({ state: 'hidden' })
    expect(await card.getByRole('button', { name: 'Take', exact: true }).count()).toBe(0)
    expect(await stored()).toMatchObject({ status: 'in_review' })

    await page.goto(`/reports/${productId}`)
    await page.getByRole('button', { name: 'Give…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Give the report to a moderator' })
    await dialog.getByRole('combobox', { name: 'Moderator' }).fill(other.email)
    await page.getByRole('option', { name: other.email }).click()
    await expectAccessible(page, 'giving a report', undefined, '[role="dialog"]')
    await dialog.getByRole('button', { name: 'Give it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Take', exact: true }).waitFor()
    expect(await stored()).toEqual({ status: 'in_review', assigned_to: other.user_id })
  })

  test('that somebody else has changed meanwhile are shown anew instead of taken', async ({ world }) => {
    const { service } = world
    const { productId, stored } = await givenReported(service, 'Viola')
    const { user_id: other, email } = await insertAccount(service.deps, { role: 'moderator' })
    const page = await signedInAt(world, `/reports/${productId}`)
    await page.getByText('nobody').waitFor()
    await service.deps.db
      .updateTable('product_reports')
      .set({ assigned_to: other, status: 'in_review', version: 2 })
      .where('product_id', '=', productId)
      .execute()
    await page.getByRole('button', { name: 'Take', exact: true }).click()
    await page.getByText('Somebody else has changed this meanwhile.').waitFor()
    await page.getByRole('cell', { name: email.split('@')[0]! }).waitFor()
    expect(await stored()).toEqual({ status: 'in_review', assigned_to: other })
  })

  test('are taken by a moderator, who can give them to nobody', async ({ world }) => {
    const { service } = world
    const [reporter, reported] = [await service.given.user(), await service.given.user({ name: 'Rhea Ported' })]
    const posted = await service.app.inject({
      method: 'POST',
      url: `/api/v1/users/${reported.userId}/report`,
      headers: reporter.headers,
      payload: { reason: 'spam' },
    })
    expect(posted.statusCode).toBe(201)
    const { email, user_id: id } = await insertAccount(service.deps, { role: 'moderator' })
    const page = await signedInAt({ ...world, email }, `/reported-users?user_id=${reported.userId}`)
    await page.getByRole('button', { name: 'Reports about Rhea Ported: take away' }).waitFor()
    await page.getByRole('button', { name: 'Take', exact: true }).click()
    await page.getByText('You have the report.').waitFor()
    expect(await page.getByRole('button', { name: 'Give…' }).count()).toBe(0)
    const report = service.deps.db.selectFrom('user_reports').select(['status', 'assigned_to'])
    expect(await report.execute()).toEqual([{ status: 'in_review', assigned_to: id }])
  })

  test('about somebody are on one page, to which the person and the desk lead', async ({ world }) => {
    const { service } = world
    const { owner, productId } = await givenReported(service, 'Cello')
    await service.deps.db.updateTable('product_reports').set({ status: 'dismissed' }).execute()
    await service.deps.db
      .updateTable('product_reports')
      .set({ status: 'open' })
      .where('product_id', '=', productId)
      .execute()
    const page = await signedInAt(world, '/reports-desk')
    await page.getByRole('link', { name: 'Report about the owner' }).click()
    await page.getByRole('heading', { level: 1, name: 'Report about Owner of Cello' }).waitFor()
    const about = page.getByRole('table', { name: 'Latest reports' })
    await about.getByRole('link', { name: `Product no. ${productId}` }).waitFor()
    await page.getByRole('row', { name: 'Reports about their products 1' }).waitFor()
    await expectAccessible(page, 'the report about somebody')
    await page.getByLabel('From').fill('2999-01-01')
    await page.getByRole('row', { name: 'Reports about their products 0' }).waitFor()
    await page.goto(`/users/${owner.userId}`)
    await page.getByRole('link', { name: 'Totals, swaps and reports' }).click()
    await page.getByRole('heading', { level: 1, name: 'Report about Owner of Cello' }).waitFor()
    await page.goto('/users/999999999/report')
    await page.getByRole('alert').getByText('This is not there, or not any more').waitFor()
  })
})
