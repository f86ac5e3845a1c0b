import { chromium } from 'playwright-core'

const ROUNDS = 5
const LIST = '/users?per_page=100'

/** What is searched for: a new word each time, because answers are kept for some seconds. */
const WORDS = ['Kowalski', 'Moreau', 'Silva', 'Rossi', 'Petrov', 'Tanaka', 'Jensen', 'Weber', 'Vargas', 'Quinn']

/**
 * Runs in the page. A time runs from the last press of a key or button to the frame in which what was waited for is
 * drawn, and is told with the request that was made meanwhile.
 */
const WATCH = `
  const rows = () => document.querySelectorAll('main tbody tr:not([aria-hidden])')
  const isSeen = (selector) => [...document.querySelectorAll(selector)].some((part) => part.getClientRects().length > 0)
  const CHANGES = {
    rows: () => rows()[0]?.textContent,
    status: () => document.querySelector('main [role="status"]')?.textContent,
    menu: () => isSeen('[role="menuitem"]'),
    options: () => isSeen('[role="option"]'),
  }
  let actedAt = 0
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, ({ timeStamp }) => { actedAt = timeStamp }, { capture: true })
  const drawn = () => new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => resolve(performance.now())
    requestAnimationFrame(() => channel.port2.postMessage(0))
  })
  const until = (isDone) => new Promise((resolve) => {
    const look = () => isDone() ? drawn().then(resolve) : requestAnimationFrame(look)
    look()
  })
  let waiting
  window.begin = (what) => {
    const before = CHANGES[what]()
    performance.clearResourceTimings()
    actedAt = Infinity
    waiting = until(() => actedAt < Infinity && CHANGES[what]() !== before)
  }
  window.ended = async () => {
    const end = await waiting
    const request = performance.getEntriesByType('resource').find(({ name }) => name.includes('/users?'))
    return { total: end - actedAt, request: request && { wait: request.startTime - actedAt, took: request.duration } }
  }
  window.shown = () => until(() => rows().length === 100)
`

/**
 * Measures in Chromium how long an administrator waits for the list of users, and prints a row for each figure:
 * `npm run measure -- <address> <e-mail> <password>`.
 */
const [address = 'http://127.0.0.1:3000', email = '', password = ''] = process.argv.slice(2)
const figures = new Map<string, number[]>()
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 860 } })
const page = await context.newPage()
await page.addInitScript({ content: WATCH })
const devtools = await context.newCDPSession(page)
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
await signIn()
for (let round = 0; round < ROUNDS; round += 1) await measureRound(round)
await browser.close()
for (const [name, times] of figures) process.stdout.write(`| ${name} | ${times.map(Math.round).join(', ')} |\n`)

async function signIn(): Promise<void> {
  await page.goto('/')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').first().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
}

async function measureRound(round: number): Promise<void> {
  await page.goto(LIST, { waitUntil: 'commit' })
  note('list of 100 users, from the address to its rows', await page.evaluate<number>('shown()'))
  const boxes = page.getByLabel(/^Select no/)
  await measure('tick one of 100 boxes', 'status', () => boxes.nth(3).click())
  await measure('tick another', 'status', () => boxes.nth(5).click())
  await measure('open the menu of what changes many', 'menu', () =>
    page.getByRole('button', { name: 'Change them' }).click(),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Select none' }).click()
  await measure('open a filter', 'options', () => page.getByLabel('Status').first().click())
  await page.keyboard.press('Escape')
  await measure('sort by name', 'rows', () => sortBy('Name'))
  await measure('sort by registration', 'rows', () => sortBy('Registered'))
  await measure('the next page', 'rows', () => page.getByRole('button', { name: 'next page' }).click())
  const field = page.getByLabel('Name, username, e-mail, phone')
  await measure('search, with the pause after typing', 'rows', () => field.pressSequentially(WORDS[round]!))
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await page.waitForLoadState('networkidle')
  await measure('search by Enter', 'rows', async () => {
    await field.fill(WORDS[ROUNDS + round]!)
    await page.keyboard.press('Enter')
  })
}

function sortBy(name: string): Promise<void> {
  return page.getByRole('columnheader', { name }).getByRole('button').click()
}

type Figure = { total: number; request?: { wait: number; took: number } }

async function measure(name: string, what: string, act: () => Promise<void>): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(`begin('${what}')`)
  const before = await cpuTime()
  await act()
  const { total, request } = await page.evaluate<Figure>('ended()')
  note(name, total)
  note(`${name}: work of the page, without waiting`, (await cpuTime()) - before)
  if (request === undefined) return
  note(`${name}: until its request`, request.wait)
  note(`${name}: its request`, request.took)
}

/** The milliseconds for which the page's own thread has worked. */
async function cpuTime(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
}

function note(name: string, time: number): void {
  figures.set(name, [...(figures.get(name) ?? []), time])
}
