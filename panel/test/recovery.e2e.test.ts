// Slow: a browser.
import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD, post } from '../../server/test/support/accounts.ts'
import { startMailService } from '../../server/test/support/mail.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { opened, signedInAt, testOn } from './world.ts'

const NEXT = 'another good password'

const test = testOn(startMailService)

describe.skipIf(CHROMIUM === undefined)('the panel in Chromium', () => {
  test('replaces a forgotten password by a mail, and shows and ends sessions', async ({ world }) => {
    const { service, email } = world
    const page = await opened(world, '/sign-in', {})
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.waitForURL('**/forgot-password')
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
    const inside = await signedInAt(world, '/account', {}, NEXT)
    await inside.getByText('This session').waitFor()
    await expectAccessible(inside, '/account')
    await inside.getByRole('button', { name: 'End all other sessions' }).click()
    await inside.getByText('Signed out there.').waitFor()
    const ended = await service.app.inject({ url: '/api/v1/account', headers: { authorization: `Bearer ${other}` } })
    expect(ended.statusCode).toBe(401)
  })

  test('changes one’s address when the new one is confirmed, and saves one’s data', async ({ world }) => {
    const { service } = world
    const { email } = await insertAccount(service.deps, { role: 'admin' })
    const next = `next-${email}`
    const page = await signedInAt({ ...world, email }, '/account')
    const address = page.getByRole('form', { name: 'E-mail address' })
    const change = async (password: string) => {
      await address.getByLabel('New e-mail address').fill(next)
      await address.getByLabel('Present password').fill(password)
      await address.getByRole('button', { name: 'Change the address' }).click()
    }
    await change('quite another word')
    await address.getByText('is not the password of this account').waitFor()
    await change(PASSWORD)
    await page.getByText(`${next} waits for your confirmation`).waitFor()
    await expectAccessible(page, '/account, address')
    const first = await service.tokenTo(next)
    await page.getByRole('button', { name: 'Send the mail again' }).click()
    await page.getByText('A mail is on its way. Open its link within 30 minutes.').waitFor()
    const token = await service.tokenTo(next)
    expect(token).not.toBe(first)
    expect((await post(service.app, '/api/v1/email/confirm', { token })).statusCode).toBe(200)
    await page.reload()
    await page.getByText(`${next} is confirmed.`).waitFor()

    const data = page.getByRole('form', { name: 'My data' })
    await data.getByLabel('Present password').fill(PASSWORD)
    const saving = page.waitForEvent('download')
    await data.getByRole('button', { name: 'Get my data' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('swapbell-my-data.json')
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ account: [{ email: next }] })
  })
})
