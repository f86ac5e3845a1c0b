import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { takeStory } from './screenshots-story.ts'

const FOLDER = join(import.meta.dirname, '../docs/screenshots')
const WIDE = { viewport: { width: 1280, height: 800 } }
const NARROW = { viewport: { width: 360, height: 740 } }

/** Each picture: its name, its page, and how the browser is set. */
const PICTURES: [name: string, path: string, options?: BrowserContextOptions][] = [
  ['home', '/'],
  ['home-360', '/', NARROW],
  ['users', '/users?sort_by=last_active_at&sort_order=desc'],
  ['users-spanish', '/users?sort_by=last_active_at&sort_order=desc', { ...WIDE, locale: 'es-ES' }],
  ['user', '/users/12'],
  ['products', '/products'],
  ['verification', '/verification'],
  ['verification-360', '/verification', NARROW],
  ['reports-desk', '/reports-desk'],
  ['reports-desk-dark', '/reports-desk', { ...WIDE, colorScheme: 'dark' }],
  ['reported-products', '/reports'],
  ['reported-users', '/reported-users'],
  ['approvals', '/approvals'],
  ['disputes', '/disputes'],
  ['groups', '/groups'],
  ['categories', '/categories'],
  ['plans', '/plans'],
  ['swaps', '/swaps'],
  ['subscriptions', '/subscriptions'],
  ['insights', '/insights'],
  ['campaigns', '/notifications'],
  ['system-notification', '/notifications/system'],
  ['delivery', '/delivery'],
  ['exports', '/exports'],
  ['administrators', '/administrators'],
  ['audit', '/audit'],
  ['record', '/audit/record?entity=product&entity_id=4995&at=2026-01-01T00:00:00Z'],
  ['settings', '/settings?only=changed'],
  ['account', '/account'],
  ['account-360-dark', '/account', { ...NARROW, colorScheme: 'dark' }],
]

const [address = 'http://127.0.0.1:3000', email = '', password = '', only = ''] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
await mkdir(FOLDER, { recursive: true })
const signedIn = await signIn()
const contexts = new Map<string, BrowserContext>()
for (const [name, path, options = WIDE] of PICTURES)
  if (only === '' || name.startsWith(only)) await takePicture(name, path, await contextFor(options))
if (only === '' || only === 'story')
  await takeStory(await contextFor(WIDE), { browser, folder: FOLDER, state: signedIn })
await browser.close()

/** Signs in once; gives what the browser keeps of it. */
async function signIn() {
  const context = await browser.newContext({ baseURL: address, ...WIDE })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('E-mail').fill(email)
  await page.screenshot({ path: join(FOLDER, 'sign-in.png') })
  await page.getByLabel('Password').first().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** One context for equal options: a browser loads the files of the panel once, and too many loads are refused. */
async function contextFor(options: BrowserContextOptions): Promise<BrowserContext> {
  const key = JSON.stringify(options)
  const known = contexts.get(key)
  if (known !== undefined) return known
  const settings = { baseURL: address, reducedMotion: 'reduce', ...options, storageState: signedIn } as const
  const context = await browser.newContext(settings)
  contexts.set(key, context)
  return context
}

async function takePicture(name: string, path: string, context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await waitForHeading(page)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  await page.close()
}

async function waitForHeading(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle')
}
