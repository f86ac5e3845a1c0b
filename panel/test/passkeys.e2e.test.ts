// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedIn, test } from './world.ts'

/** Where to keep pictures of the pages, for whoever wants to look at them. */
const PICTURES = process.env['PICTURES'] ?? ''

async function look(page: Page, name: string): Promise<void> {
  if (PICTURES === '') return
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
}

/** Chromium's own authenticator: it makes and uses passkeys of this page without asking anybody. */
async function withAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    passkeys: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    clear: () => session.send('WebAuthn.clearCredentials', { authenticatorId }),
  }
}

async function beginSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe.skipIf(CHROMIUM === undefined)('passkeys in the panel', () => {
  test('are added, asked for at the next sign-in, and removed; a recovery code works instead', async ({ world }) => {
    // Browsers make passkeys for host names alone.
    const url = world.url.replace('127.0.0.1', 'localhost')
    const { email } = await insertAccount(world.service.deps, { role: 'admin' })
    const page = await signedIn(
      { ...world, url, email },
      { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
    )
    const authenticator = await withAuthenticator(page)
    await page.goto('/account')
    await page.getByLabel('Name of the passkey').fill('My laptop')
    await page.getByLabel('Your password, for the passkey').fill(PASSWORD)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const recovery = await page.getByRole('listitem').first().innerText()
    await look(page, 'account-codes')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('My laptop').waitFor()
    await page.getByText('10 of 10 recovery codes are left').waitFor()
    expect(await authenticator.passkeys()).toMatchObject([{ rpId: 'localhost' }])
    await page.getByRole('button', { name: 'Rename My laptop' }).click()
    await page.getByLabel('New name').fill('The old laptop')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('button', { name: 'Remove The old laptop' }).waitFor()
    await expectAccessible(page, '/account, with a passkey')
    await look(page, 'account-passkey')

    await signOut(page)
    await beginSignIn(page, email)
    await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
    await expectAccessible(page, '/sign-in, passkey')
    await look(page, 'sign-in-passkey')
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    expect(await authenticator.passkeys()).toMatchObject([{ signCount: 2 }])

    await signOut(page)
    await authenticator.clear()
    await beginSignIn(page, email)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('alert').getByText('It was cancelled, or it took too long').waitFor()
    await page.getByRole('button', { name: 'Use a code instead' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill(recovery)
    await look(page, 'sign-in-code')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()

    // Ten minutes later the second factor must be shown again.
    const { clock } = world.service
    await clock.setTime(clock.now() + 10 * 60_000)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Remove The old laptop' }).click()
    await page.getByRole('button', { name: 'Remove The old laptop' }).last().click()
    await page.getByText('Show your second factor first').waitFor()
    await expectAccessible(page, '/account, showing the second factor again')
    await look(page, 'account-show')
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.getByRole('button', { name: 'Use the code' }).click()
    await page.getByText('is wrong or already used').waitFor()
  })
})

/** The panel's own call is used, so that the page stays the one that has the authenticator. */
async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/')
  await page.getByLabel('E-mail').waitFor()
}
