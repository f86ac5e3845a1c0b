// For CI: a browser that walks all dialogs.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { givenProduct, givenProposal } from '../../server/test/support/marketplace.ts'
import { openPhone } from '../../server/test/support/phone.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, signedIn, test, type World } from './world.ts'

const QUESTION = 'What you have typed is not saved. Leave it?'
const OPEN = '[role="dialog"]:visible, [role="menu"]:visible'

/** Pages with dialogs and menus, and keys that open some. */
const PAGES: [path: string, ...keys: string[]][] = [
  ['/', '?', 'Control+k'],
  ['/users'],
  ['/users/:user'],
  ['/products/:product'],
  ['/verification', 'c', 'r'],
  ['/swaps/:swap'],
  ['/reported-users'],
  ['/groups/:group'],
  ['/categories'],
  ['/plans'],
  ['/delivery'],
  ['/insights'],
  ['/administrators'],
  ['/notifications/new'],
  ['/notifications/system'],
]

/** A button that asks for more ends with three dots by convention. These do not. */
const OTHERS = ['Add a category', 'Add a plan', 'Halt sending', 'Columns', 'Export']

/** Some that the walk must have come by. */
const KNOWN = [
  '/ ?',
  '/users Columns',
  '/users/:user Actions',
  '/users/:user Edit…',
  '/users/:user Delete…',
  '/users/:user End all…',
  '/users/:user Mail for a new password…',
  '/products/:product Edit…',
  '/verification c',
  '/swaps/:swap Resolve…',
  '/reported-users Dismiss…',
  '/categories Add a category',
  '/categories Edit…',
  '/delivery Halt sending',
  '/administrators Give a role…',
  '/notifications/new Send…',
  '/notifications/system Send…',
]

async function givenRecords(world: World): Promise<(path: string) => string> {
  const { deps, given, app } = world.service
  const { userId } = await given.user({ name: 'Ada' })
  const productId = await givenProduct(deps, await given.user(), { verification: 'pending' })
  const { swapId, requester, owner } = await givenProposal(world.service)
  await openPhone(world.service, owner).post(`/api/v1/swaps/${swapId}/accept`)
  await openPhone(world.service, requester).post(`/api/v1/swaps/${swapId}/dispute`, { reason: 'It is broken.' })
  const url = `/api/v1/users/${userId}/report`
  await app.inject({ method: 'POST', url, headers: requester.headers, payload: { reason: 'scam' } })
  const cyclists = { name: 'Cyclists', visibility: 'public' }
  const { json: group } = await openPhone(world.service, owner).post<{ id: number }>('/api/v1/groups', cyclists)
  const ids = { user: userId, product: productId, swap: swapId, group: group.data.id }
  return (path) => path.replace(/:(\w+)/, (_, name: keyof typeof ids) => String(ids[name]))
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('main h1').waitFor()
  if (path === '/verification') await page.getByRole('article').waitFor()
  if (path.startsWith('/notifications/'))
    for (const label of ['Title', 'Text']) await page.locator('main').getByLabel(label).first().fill('Hello')
  if (path === '/notifications/system') await page.getByText('Everyone', { exact: true }).click()
  if (path.startsWith('/notifications/'))
    await page.locator('button:not([aria-disabled="true"])', { hasText: 'Send…' }).waitFor()
  await expect.poll(() => page.locator('main [aria-busy="true"], main .mantine-Skeleton-root').count()).toBe(0)
}

/** The names of the buttons that open something, each once. */
async function listOpeners(page: Page): Promise<string[]> {
  const names = await page.locator('main button:enabled:visible:not([aria-disabled="true"])').evaluateAll((buttons) =>
    buttons.map((button) => ({
      name: button.getAttribute('aria-label') ?? button.textContent,
      isMenu: button.ariaHasPopup !== null,
    })),
  )
  const opening = names.filter(({ name, isMenu }) => isMenu || name.endsWith('…') || OTHERS.includes(name))
  return [...new Set(opening.map(({ name }) => name))]
}

/** The first Esc may close the choices of a field alone. */
async function close(page: Page): Promise<void> {
  const escape = async () => {
    await page.keyboard.press('Escape')
    return page.locator(OPEN).count()
  }
  await expect.poll(escape).toBe(0)
}

/** Colours alone differ in the dark. */
async function expectGood(page: Page, name: string): Promise<void> {
  const layers = '[role="dialog"], [role="menu"]'
  await page.locator(OPEN).first().waitFor()
  await expectAccessible(page, name, undefined, layers)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await expectAccessible(page, `${name}, dark`, ['color-contrast'], layers)
  await page.emulateMedia({ colorScheme: 'light' })
  const dialog = page.getByRole('dialog')
  if ((await dialog.locator('input:enabled:visible, textarea:enabled:visible').count()) === 0) return
  await expect.poll(() => page.evaluate('document.activeElement.tagName'), { message: name }).toMatch(/INPUT|TEXTAREA/)
  expect.soft(await dialog.locator(':focus').count(), name).toBe(1)
}

describe.skipIf(CHROMIUM === undefined)('dialogs and menus of the panel', () => {
  test('have nothing that axe faults, a named way out, and a field that has the focus', async ({ world }) => {
    const fill = await givenRecords(world)
    const page = await emptyPage(world)
    const opened: string[] = []
    const visit = async (name: string, open: () => Promise<void>) => {
      await open()
      opened.push(name)
      await expectGood(page, name)
    }
    for (const [path, ...keys] of PAGES) {
      await show(page, fill(path))
      for (const key of keys) {
        await visit(`${path} ${key}`, () => page.keyboard.press(key))
        await close(page)
      }
      for (const name of await listOpeners(page)) {
        const open = () => page.locator('main').getByRole('button', { name, exact: true }).first().click()
        await visit(`${path} ${name}`, open)
        const items = await page.getByRole('menuitem').filter({ hasText: '…' }).allInnerTexts()
        await close(page)
        for (const item of items) {
          await open()
          await visit(`${path} ${item}`, () => page.getByRole('menuitem', { name: item, exact: true }).click())
          await close(page)
        }
      }
    }
    expect(opened).toEqual(expect.arrayContaining(KNOWN))
  })
})

describe.skipIf(CHROMIUM === undefined)('what somebody typed', () => {
  test('is not lost by Esc, a click outside or the close button of a dialog without a question', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Ada' })
    const page = await emptyPage(world)
    await show(page, `/users/${userId}`)
    const openEdit = async () => {
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Edit…' }).click()
    }
    await openEdit()
    const dialog = page.getByRole('dialog')
    const city = dialog.getByLabel('City')
    const asked: string[] = []
    let answer = false
    page.on('dialog', (question) => {
      asked.push(question.message())
      void (answer ? question.accept() : question.dismiss())
    })
    await city.fill('Lima')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.mouse.click(5, 400)
    await expect.poll(() => asked).toEqual([QUESTION, QUESTION, QUESTION])
    expect(await city.inputValue()).toBe('Lima')
    answer = true
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await openEdit()
    await city.waitFor()
    await close(page)
    expect(asked).toHaveLength(4)
  })

  test('is saved once by Ctrl-Enter, however often it is pressed, and then not asked for', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Ada' })
    const page = await emptyPage(world)
    page.on('dialog', (question) => expect.soft(question.message()).toBe(''))
    await show(page, `/users/${userId}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('City').fill('Lima')
    const held = Promise.withResolvers<void>()
    let calls = 0
    await page.route('**/user-update', async (route) => {
      calls++
      await held.promise
      await route.continue()
    })
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => calls).toBe(1)
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Enter')
    held.resolve()
    await dialog.waitFor({ state: 'hidden' })
    expect(calls).toBe(1)
    await page.getByText('Lima').first().waitFor()
  })

  test('on a page is not lost by the menu, back or a reload without a question', async ({ world }) => {
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
    await page.getByRole('button', { name: /: your account$/ }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    const field = page.locator('main form').getByRole('textbox').first()
    await field.fill('somebody@example.com')
    const kinds: string[] = []
    page.on('dialog', (question) => {
      kinds.push(question.type())
      void question.dismiss()
    })
    await page.getByRole('link', { name: 'Plans' }).click()
    await expect.poll(() => kinds).toEqual(['confirm'])
    await page.evaluate('history.back()')
    await expect.poll(() => kinds).toEqual(['confirm', 'confirm'])
    await expect.poll(() => new URL(page.url()).pathname).toBe('/account')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => kinds).toEqual(['confirm', 'confirm', 'beforeunload'])
    expect(await field.inputValue()).toBe('somebody@example.com')
  })

  test('as a campaign is there again after a reload and another page', async ({ world }) => {
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('link', { name: 'Write a campaign' }).first().click()
    const title = page.locator('main').getByLabel('Title').first()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await page.keyboard.type('Spring swap')
    await page.reload()
    expect(await title.inputValue()).toBe('Spring swap')
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
    await page.goBack()
    expect(await title.inputValue()).toBe('Spring swap')
  })
})
