import { waitingApprovals } from '../../identity/approvals/approvals.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { can, type Permission, type Principal } from '../../platform/rights/permissions.ts'
import type { Work } from '../../platform/work/work.ts'
import { render, toLocale } from '../../marketplace/texts/texts.ts'
import type { PushDeps } from '../../push/deps.ts'
import { findOwner } from '../../push/provider/owners.ts'
import type { Push, SubmitAnswer } from '../../push/provider/provider.ts'
import type { ProviderInUse, Providers } from '../../push/provider/registry.ts'
import { pushTroubles } from '../../push/status/push-status.ts'
import {
  deleteBrowsers,
  deleteVoidBrowsers,
  listBrowsersToTell,
  markNotified,
  upsertBrowser,
} from './browsers.queries.ts'
import type { StaffBrowser } from './browsers.queries.ts'

// The time is longer than a night; what still waits then is on the first page.
const OF_USE_MS = 12 * 60 * 60_000

/** What a browser needs to subscribe; null: this service pushes to no browsers. */
export function findBrowserKey(providers: Providers): string | null {
  return findWeb(providers)?.provider.publicKey ?? null
}

export async function registerBrowser(
  { tx, now }: Work,
  { providers, principal, token }: { providers: Providers; principal: Principal; token: string },
): Promise<void> {
  const web = findWeb(providers)
  if (web === undefined) throw errors.invalidState('This service pushes to no browsers.')
  const owner = findOwner([web], { token, tokenType: 'web' })
  const { userId: user_id, sessionId: session_id, role } = principal
  const stored = owner.toStored?.(token) ?? token
  await upsertBrowser(tx, { user_id, session_id, role, provider: owner.name, token: stored }, now())
}

/** Says only that something waits: alerts to who sends, requests to who approves. */
export async function tellBrowsers(deps: Pick<PushDeps, 'db' | 'clock' | 'providers' | 'log'>): Promise<void> {
  const { db, clock, providers } = deps
  await deleteVoidBrowsers(db)
  const now = fromNow(clock)
  const [{ alerts }, requests] = await Promise.all([pushTroubles(db), waitingApprovals(db, now)])
  const latest: [Permission, Date | undefined][] = [
    ['campaigns', alerts.newest],
    ['approvals', requests.newest],
  ]
  const isDue = ({ role, told_at }: StaffBrowser) =>
    latest.some(([permission, at]) => at !== undefined && at > told_at && can(role, permission))
  const times = latest.flatMap(([, at]) => (at === undefined ? [] : [at.getTime()]))
  if (times.length === 0) return
  const browsers = (await listBrowsersToTell(db, new Date(Math.max(...times)))).filter(isDue)
  for (const inUse of providers) {
    const own = browsers.filter(({ provider }) => provider === inUse.provider.name)
    await tell(deps, inUse, own)
  }
}

async function tell(
  { db, clock, log }: Pick<PushDeps, 'db' | 'clock' | 'log'>,
  { provider, gate }: ProviderInUse,
  browsers: StaffBrowser[],
): Promise<void> {
  const expiresAt = fromNow(clock, OF_USE_MS)
  for (let from = 0; from < browsers.length; from += provider.maxPushes) {
    const own = browsers.slice(from, from + provider.maxPushes)
    const pushes = own.map((browser) => toPush(browser, expiresAt))
    const answer = await provider.submit(pushes, async () => (await gate(log)).isOpen)
    const isGone = (n: number) => readCode(answer, n) === 'DeviceNotRegistered'
    const pickIds = (which: (n: number) => boolean) => own.flatMap(({ browser_id: id }, n) => (which(n) ? [id] : []))
    await deleteBrowsers(db, pickIds(isGone))
    const settled = pickIds((n) => !isGone(n) && !mayRetry(answer, n))
    await markNotified(db, settled, fromNow(clock))
  }
}

/** A later push takes the place of an earlier one, so a browser shows one. */
function toPush({ browser_id, token, language }: StaffBrowser, expiresAt: Date): Push {
  const { title, text: body } = render(toLocale(language), 'staff.waiting')
  const content = { title, body, data: { link: '/' }, urgent: true, mergeKey: 'staff.waiting' }
  return { to: token, platform: 'web', notificationId: browser_id, content, expiresAt, isProven: false }
}

function readCode({ outcomes }: SubmitAnswer, n: number): string | undefined {
  const outcome = outcomes[n]
  return outcome?.kind === 'refused' ? outcome.code : undefined
}

function mayRetry({ outcomes }: SubmitAnswer, n: number): boolean {
  const outcome = outcomes[n]
  return outcome?.kind === 'refused' && outcome.retry
}

function findWeb(providers: Providers): ProviderInUse | undefined {
  return providers.find(({ instance }) => instance.tokenType === 'web')
}
