// Slow: a browser.
import { describe, expect, test as plainTest } from 'vitest'
import { PASSWORD } from '../../server/test/support/accounts.ts'
import { CHROMIUM } from './chromium.ts'
import { opened, signedIn, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('signing in to the panel', () => {
  test('says what is wrong with a sign-in, and leads back to where one was', async ({ world }) => {
    const page = await opened(world, '/users?status=active', {})
    await page.getByLabel('E-mail').fill(world.email)
    await page.getByLabel('Password').first().fill('quite another word')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await page.getByLabel('Password').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=active')
    const [cookie] = await page.context().cookies(`${world.url}/api`)
    expect(cookie).toMatchObject({ name: 'swapbell_session', httpOnly: true, sameSite: 'Strict' })
  })

  test('speaks the language of the browser, or the one that is chosen', async ({ world }) => {
    const page = await opened(world, '/users', { locale: 'es-ES' })
    await page.getByLabel('Correo electrónico').fill(world.email)
    await page.getByLabel('Contraseña').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usuarios' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    await page.getByText('administrador').first().waitFor()
    await page.goto('/account')
    await page.getByRole('combobox', { name: 'Idioma' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('asks for a sign-in over the page when the session was ended elsewhere', async ({ world }) => {
    const { deps } = world.service
    const page = await signedIn(world)
    const { user_id } = await deps.db
      .selectFrom('users')
      .select('user_id')
      .where('email', '=', world.email)
      .executeTakeFirstOrThrow()
    await deps.db.deleteFrom('sessions').where('user_id', '=', user_id).execute()
    deps.sessions.forget(user_id)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended. Sign in again.' })
    const focused = () => page.evaluate('document.activeElement.type')
    await again.getByLabel('Password').first().waitFor()
    await expect.poll(focused).toBe('password')
    await again.getByRole('button', { name: 'Sign in as somebody else' }).click()
    await page.waitForURL('**/sign-in*')
    await page.getByLabel('E-mail').waitFor()
  })

  test('says that the service cannot be reached, and continues when it is back', async ({ world }) => {
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByText('No groups yet').waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Plans' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No plans yet').waitFor()
  })
})

plainTest.skipIf(CHROMIUM !== undefined)(
  'SKIPPED: the panel was not opened, because there is no Chromium',
  () => undefined,
)
