import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** `state`: what a browser keeps of the signed-in administrator. */
type Camera = { browser: Browser; folder: string; state: NonNullable<BrowserContextOptions['storageState']> }

const WALL = { viewport: { width: 1440, height: 960 } }
// Receipts are asked for each minute, and a push whose answer was lost is sent again after one.
const WITHIN_MS = 120_000

/**
 * Pictures for which something must be done: a campaign, a bulk change, mail, phones after a lost answer. Needs a new
 * trial.
 */
export async function takeStory(panel: BrowserContext, camera: Camera): Promise<void> {
  const page = await panel.newPage()
  await page.goto('/')
  const wall = (await page.getByRole('link', { name: /^Wall of phones/ }).getAttribute('href')) ?? ''
  await beginRollOut(page)
  await takeCampaign(page, camera)
  await page.goto('/roll-out')
  await page.getByText('Opened').first().waitFor()
  await shoot(page, camera, 'roll-out')
  await shoot(
    await opened(camera, page.url(), { viewport: { width: 360, height: 740 }, storageState: camera.state }),
    camera,
    'roll-out-360',
  )
  await takeBulkChange(page, camera)
  await takeWall(page, camera, wall)
  await takeMailbox(page, camera, wall)
  await takeSwap(page, camera)
}

async function beginRollOut(page: Page): Promise<void> {
  await page.goto('/roll-out')
  for (const provider of ['apns/swapbell/production', 'fcm/swapbell']) {
    await page.getByRole('region', { name: provider }).getByRole('button', { name: '50 %' }).click()
    await page.getByRole('button', { name: 'Reach 50 % directly' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

async function takeCampaign(page: Page, camera: Camera): Promise<void> {
  await write(page, 'Swap weekend', 'Three new items near you. Come and look before they are gone.')
  await page.getByText(/^Reaches /).waitFor()
  await shoot(page, camera, 'compose')
  await send(page)
  await page.getByText('completed').first().waitFor({ timeout: WITHIN_MS })
  await page
    .getByText(/: delivered$/)
    .nth(3)
    .waitFor({ timeout: WITHIN_MS })
  await shoot(page, camera, 'campaign')
}

async function takeBulkChange(page: Page, camera: Camera): Promise<void> {
  await page.goto('/users?search=Greta&per_page=20')
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('button', { name: /^Select all \d+ that match/ }).click()
  await page.getByRole('button', { name: 'Change them' }).click()
  await page.getByRole('menuitem', { name: 'Suspend…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Looked into')
  await page.getByRole('button', { name: 'Show whom' }).click()
  await page.getByText(/ accounts will change$/).waitFor()
  await page.waitForLoadState('networkidle')
  await shoot(page, camera, 'bulk')
}

async function takeWall(page: Page, camera: Camera, wall: string): Promise<void> {
  const phones = await opened(camera, wall, WALL)
  await phones.getByRole('radio', { name: 'Loses an answer' }).check()
  await write(page, 'Spring clean-up', 'List three things that you no longer need and find them a home.')
  await page.getByText('Test users only').click()
  await send(page)
  const phone = (place: number) => phones.getByRole('article').nth(place)
  const dismiss = phone(2).getByRole('button', { name: /^Dismiss.*Spring clean-up$/ })
  await phones.getByText('2 copies, one banner').first().waitFor({ timeout: WITHIN_MS })
  await phone(1).getByRole('button', { name: 'Spring clean-up' }).first().click()
  await dismiss.first().click()
  await phone(3).getByRole('button', { name: 'Go offline' }).click()
  await phone(3).getByRole('button', { name: 'Go online' }).waitFor()
  await phone(1).getByText('Swapbell recorded that it was opened.').waitFor()
  await shoot(phones, camera, 'wall')
  await shoot(await opened(camera, wall, { ...WALL, colorScheme: 'dark' }), camera, 'wall-dark')
  await shoot(await opened(camera, wall, { viewport: { width: 360, height: 780 } }), camera, 'wall-360')
}

async function takeMailbox(page: Page, camera: Camera, wall: string): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Send the mail' }).click()
  const mailbox = await opened(camera, new URL('/page/mailbox.html', wall).href, WALL)
  await mailbox.getByText('Confirm your e-mail address').first().waitFor()
  await shoot(mailbox, camera, 'mailbox')
}

async function takeSwap(page: Page, camera: Camera): Promise<void> {
  await page.goto('/swaps')
  const swap = await page.locator('main tbody a[href^="/swaps/"]').first().getAttribute('href')
  const options = { viewport: { width: 1280, height: 860 }, colorScheme: 'dark', storageState: camera.state } as const
  const dark = await opened(camera, new URL(swap ?? '/swaps', page.url()).href, options)
  await dark.waitForLoadState('networkidle')
  await shoot(dark, camera, 'swap-dark')
}

async function write(page: Page, title: string, text: string): Promise<void> {
  await page.goto('/notifications/new')
  await page.getByRole('heading', { level: 1, name: 'Write a campaign' }).waitFor()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text').fill(text)
  await page.getByLabel('Link').fill('swapbell://items')
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send…' }).click()
  await page.getByRole('button', { name: /^Send to / }).click()
  await page.getByRole('heading', { level: 2, name: 'Recipients' }).waitFor()
}

async function opened({ browser }: Camera, url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(url)
  await page.locator('h1').first().waitFor()
  return page
}

async function shoot(page: Page, { folder }: Camera, name: string): Promise<void> {
  // The pointer would open an explanation, and lists need a moment until they are drawn.
  await page.mouse.move(1, 1)
  await page.waitForTimeout(1_000)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
