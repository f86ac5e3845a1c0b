// Slow: a browser.
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { createCodeApp } from '../../server/test/support/factors.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { opened, signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the second factor in the panel', () => {
  test('is set up from the QR code and the secret, asked for at the next sign-in, and a recovery code replaces it', async ({
    world,
  }) => {
    const { service } = world
    const { email } = await insertAccount(service.deps, { role: 'admin' })
    const page = await signedInAt({ ...world, email }, '/account')
    const made = page.waitForResponse(
      (response) => response.url().endsWith('/account/second-factor') && response.status() === 201,
    )
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set it up' }).click()
    const app = createCodeApp((await (await made).json()).data.uri)
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    expect(await page.getByLabel('Secret').innerText()).toBe(app.secret)
    await expectAccessible(page, '/account, confirming')
    const code = (steps: number) => app.codeAt(service.clock.now() + steps * 30_000)
    await page.getByRole('textbox', { name: 'Code' }).fill('000 000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('is wrong or already used').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(code(0).replace(/^.../, '$& '))
    await page.getByRole('button', { name: 'Confirm' }).click()
    const recovery = await page.getByRole('listitem').first().innerText()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('10 of 10 recovery codes are left').waitFor()

    for (const [text, isWrong] of [
      ['111111', true],
      [code(1), false],
      [recovery, false],
    ] as const) {
      const fresh = await opened(world, '/', {})
      await fresh.getByLabel('E-mail').fill(email)
      await fresh.getByLabel('Password').first().fill(PASSWORD)
      await fresh.getByRole('button', { name: 'Sign in' }).click()
      await fresh.getByRole('textbox', { name: 'Code' }).fill(text)
      await expectAccessible(fresh, '/sign-in, code')
      await fresh.getByRole('button', { name: 'Sign in' }).click()
      if (isWrong) await fresh.getByRole('alert').getByText('The code is wrong').waitFor()
      else await fresh.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    }
  })
})
