import { describe, expect, vi } from 'vitest'
import { insertAccount, PASSWORD, post } from '../../server/test/support/accounts.ts'
import { startMailService } from '../../server/test/support/mail.ts'
import { buildPanel } from '../build.ts'
import { CHROMIUM, expectAccessible, launchChromium } from './chromium.ts'
import { opened, signedIn, test as base } from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const NEXT = 'another good password'

const test = base.override('world', { scope: 'file' }, async ({}, { onCleanup }) => {
  await buildPanel()
  const service = await startMailService()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launchChromium()
  const { email } = await insertAccount(service.deps, { role: 'admin' })
  onCleanup(async () => {
    await browser.close()
    await service.close()
  })
  return { service, url, browser, email }
})

describe.skipIf(CHROMIUM === undefined)('the panel in Chromium', () => {
  test('leads who forgot the password through the mail to a new one, and shows and ends sessions', async ({
    world,
  }) => {
    const service = world.service as Awaited<ReturnType<typeof startMailService>>
    const { email } = world
    const page = await opened(world, '/sign-in', {})
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill(email)
    await expectAccessible(page, '/forgot-password')
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByText('a mail is on its way').waitFor()

    await page.goto(`/reset-password#token=${await service.tokenTo(email)}`)
    await page.getByLabel('New password').fill('short one')
    await expectAccessible(page, '/reset-password')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('must have at least 12 characters').waitFor()
    await page.getByLabel('New password').fill(NEXT)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password was changed').waitFor()
    await page.goto('/confirm-email#token=none')
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await page.getByRole('alert').waitFor()
    expect((await post(service.app, '/api/v1/login', { email, password: PASSWORD })).statusCode).toBe(401)

    const other = (await post(service.app, '/api/v1/login', { email, password: NEXT })).json().data.token
    const inside = await signedIn(world, {}, NEXT)
    await inside.goto('/account')
    await inside.getByText('This session').waitFor()
    await expectAccessible(inside, '/account')
    await inside.getByRole('button', { name: 'End all other sessions' }).click()
    await inside.getByText('Signed out there.').waitFor()
    const ended = await service.app.inject({ url: '/api/v1/account', headers: { authorization: `Bearer ${other}` } })
    expect(ended.statusCode).toBe(401)
  })
})
