// Slow: a browser.
import { describe, expect } from 'vitest'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the panel in Spanish', () => {
  test('says in Spanish what each setting is for, and what is wrong with a field', async ({ world }) => {
    const page = await emptyPage(world)
    await page.addInitScript(`localStorage.setItem('language', 'es')`)
    await page.goto('/settings')
    const port = page.getByRole('row').filter({ has: page.getByText('PORT', { exact: true }) })
    await port.getByText('Puerto de la API.').waitFor()
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('bucle de eventos')
    await page.getByText('WATCHDOG_SECONDS').waitFor()
    await expect.poll(() => page.getByText('PORT', { exact: true }).count()).toBe(0)
    await expectAccessible(page, 'settings in Spanish')

    await page.goto('/audit')
    await page
      .getByRole('row', { name: /inicio de sesión/ })
      .first()
      .waitFor()

    await page.goto('/insights/rows?metric=daily-active-users&key=value&start_date=soon')
    await page.getByRole('alert').getByText('desde: debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601').waitFor()
  })
})
