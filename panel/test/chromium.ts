import { existsSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type Page } from 'playwright-core'
import { expect, onTestFinished, test as base } from 'vitest'

/** Chromium with all its parts; undefined: tests that need those are skipped. */
export const WHOLE_CHROMIUM = findFirst([process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'])

/**
 * Where Chromium is; undefined: these tests are skipped, and say so. Its headless shell, which has the same pages and no
 * notifications, takes two thirds of the processor's time.
 */
export const CHROMIUM =
  findFirst([process.env['CHROMIUM'] ?? '', '/usr/lib/chromium/chromium-headless-shell']) ?? WHOLE_CHROMIUM

const SWITCHES = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']

// Ends only what hangs: a busy machine takes a multiple of the usual time.
const LIMIT_MS = 300_000

/** Tests with one Chromium for all files of a worker. */
export const test = testIn(CHROMIUM)

/** Tests with the Chromium of that path. */
export function testIn(path: string | undefined) {
  return base.extend<'browser', Browser>('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium(path)
    onCleanup(() => browser.close())
    return browser
  })
}

/** Its pages are closed at the end of their test: one left open goes on asking and drawing. */
async function launchChromium(path: string | undefined): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: path!, args: SWITCHES, timeout: LIMIT_MS })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(LIMIT_MS)
    onTestFinished(() => context.close())
    return context
  }
  return browser
}

/**
 * Waits until nothing moves, then fails softly for what axe finds on the page, and for a page that is wider than its
 * window. `only`: the rules of axe that matter here; absent: all of them. `within`: the part of the page that is in
 * use.
 */
export async function expectAccessible(page: Page, name: string, only?: string[], within = 'html'): Promise<void> {
  await stillness(page)
  // Its 1.5 MB are read once a page: by itself it would read them twice for each look.
  const hasAxe = await page.evaluate<boolean>(`typeof axe === 'object'`)
  if (!hasAxe) await page.evaluate((new AxeBuilder({ page }) as unknown as { script(): string }).script())
  const rules: Parameters<AxeBuilder['options']>[0] =
    only === undefined ? { rules: { 'target-size': { enabled: true } } } : { runOnly: { type: 'rule', values: only } }
  // Legacy: the other mode is for frames, of which the panel has none, and opens a page of its own for each result. What
  // passes is not described: that takes longer than to find what does not.
  const { violations } = await new AxeBuilder({ page, axeSource: 'void 0' })
    .include(within)
    .setLegacyMode()
    .options({ ...rules, resultTypes: ['violations'] })
    .analyze()
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  expect.soft(faults, name).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect.soft(overflow, name).toBeLessThanOrEqual(0)
}

/**
 * Waits until nothing on the page has moved for three frames: a layer may be half transparent before its transition
 * begins, and whole in a frame before that.
 */
async function stillness(page: Page): Promise<void> {
  const moving = `document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).length
    + [...document.querySelectorAll('[role="dialog"], [role="menu"]')]
      .filter((layer) => getComputedStyle(layer).opacity < 1).length`
  const inFrames = `(async () => {
    let found = 0
    for (let frame = 0; frame < 3; frame++) {
      await new Promise((next) => { requestAnimationFrame(next); setTimeout(next, 50) })
      found += ${moving}
    }
    return found
  })()`
  await expect.poll(() => page.evaluate(inFrames)).toBe(0)
}

function findFirst(paths: string[]): string | undefined {
  return paths.find((path) => path !== '' && existsSync(path))
}
