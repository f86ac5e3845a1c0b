import { onTestFinished } from 'vitest'
import { startFcm, type FcmDouble } from '../../../simulator/src/fcm/fcm.ts'
import type { FcmOptions } from '../../../simulator/src/fcm/state.ts'
import { makeServiceAccount, PROJECT } from '../../../simulator/src/fcm/service-account.ts'
import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import type { Provider, Push, PushContent } from '../../src/push/provider/provider.ts'
import type { FcmSettings } from '../../src/push/provider/fcm/fcm-settings.ts'
import { FCM_TOKENS } from '../../src/push/provider/fcm/fcm-tokens.ts'
import { createFcmProvider } from '../../src/push/provider/fcm/fcm.ts'

type Given = {
  google: FcmDouble
  provider: Provider
  clock: { now(): number; advance(ms: number): void }
  lines(): Record<string, unknown>[]
}

type How = {
  google?: FcmOptions
  settings?: Partial<FcmSettings>
  credentials?: (google: FcmDouble) => string
  timeoutMs?: number
}

// Its key takes longest to make: once for all doubles of a worker.
export const { file: CREDENTIALS } = makeServiceAccount(PROJECT)

/** Google's double and a provider that sends to it, with one clock that a test moves. */
export async function givenFcm({
  google: options,
  settings,
  credentials,
  timeoutMs = 5_000,
}: How = {}): Promise<Given> {
  let advanced = 0
  const clock = { now: () => Date.now() + advanced, advance: (ms: number) => void (advanced += ms) }
  const google = await startFcm({ now: () => clock.now(), credentials: CREDENTIALS, ...options })
  const written: string[] = []
  const log = createLog('info', { write: (line) => void written.push(line) }, { tokens: FCM_TOKENS })
  const provider = createFcmProvider(
    { app: 'swapbell', address: google.url, token_address: google.tokenUrl, ...settings },
    {
      name: 'fcm/swapbell',
      key: credentials ? credentials(google) : google.credentials,
      ca: AUTHORITY,
      timeoutMs,
      log,
      clock,
      share: () => Promise.reject(new Error('FCM shares nothing.')),
    },
  )
  onTestFinished(async () => {
    await provider.close()
    await google.close()
  })
  return { google, provider, clock, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

export const CONTENT: PushContent = {
  title: 'Swap weekend',
  body: 'Near you',
  data: null,
  urgent: true,
  mergeKey: null,
}

export function makeToken(phone: number): string {
  return `c${String(phone).padStart(21, '0')}:APA91b${'x'.repeat(134)}`
}

export function pushes(count: number, { isProven = true } = {}): Push[] {
  return Array.from({ length: count }, (_, n) => ({
    to: makeToken(n + 1),
    platform: 'android',
    notificationId: n + 1,
    content: CONTENT,
    expiresAt: new Date(Date.now() + 3_600_000),
    isProven,
  }))
}
