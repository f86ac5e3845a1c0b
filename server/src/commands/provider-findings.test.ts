import { expect, onTestFinished, test } from 'vitest'
import { send } from '../../test/support/campaign.ts'
import { drain } from '../../test/support/drain.ts'
import { createScriptedProvider } from '../../test/support/five-providers.ts'
import { startService } from '../../test/support/service.ts'
import { configWith } from '../platform/config/config.ts'
import { addProviders } from '../push/provider/provider-state.queries.ts'
import { createLog } from '../platform/shared/log.ts'
import type { Health } from '../push/provider/provider.ts'
import { providerFindings, unconfiguredFinding } from './provider-findings.ts'

const PLACE = {
  config: configWith({}),
  log: createLog('silent'),
  faults: [],
  warnings: [],
  hasSecret: true,
  isLocal: false,
  env: {},
}

test.for<[health: Health, level: string, says: RegExp]>([
  [{ kind: 'healthy' }, 'ok', /^The provider at apns\/swapbell\/sandbox answers\.$/],
  [
    { kind: 'failing', code: 'ProviderUnavailable' },
    'fail',
    /sandbox does not answer as it should \(ProviderUnavailable\)/,
  ],
  [{ kind: 'busy', retryAfterMs: 1_000 }, 'warn', /It asks to slow down/],
  [
    { kind: 'misconfigured', code: 'Unauthorized' },
    'fail',
    /^The provider at apns\/swapbell\/sandbox refuses our credentials \(Unauthorized\): correct key_file\.$/,
  ],
  [
    { kind: 'misconfigured', code: 'Unauthorized', advice: 'InvalidProviderToken: the clock is 61 min ahead; set it.' },
    'fail',
    /InvalidProviderToken: the clock is 61 min ahead; set it\.$/,
  ],
])('the doctor says of each provider how it answers to its key: %o', async ([health, level, says]) => {
  const sound = createScriptedProvider({ tokenType: 'fcm', app: 'swapbell', environment: null }, 'android')
  const asked = createScriptedProvider({ tokenType: 'apns', app: 'swapbell', environment: 'sandbox' }, 'ios')
  asked.feel(health)
  expect(await providerFindings(PLACE, () => [sound.instance, asked.instance])).toEqual([
    { check: 'provider', level: 'ok', says: 'The provider at fcm/swapbell answers.' },
    { check: 'provider', level, says: expect.stringMatching(says) as string },
  ])
})

test('the doctor names a provider that is not configured while phones or work still name it', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const { deps, given } = service
  const find = () => unconfiguredFinding(deps.db, deps)
  await addProviders(deps.db, ['fcm/old'])
  const user = await given.user({ devices: [{}] })
  expect(await find()).toMatchObject({ level: 'ok' })
  const move = deps.db.updateTable('mobile_devices').set({ provider: 'fcm/old' })
  await move.where('user_id', '=', user.userId).execute()
  expect(await find()).toMatchObject({ level: 'warn', says: expect.stringMatching(/: phones of fcm\/old\./) as string })
  await send(service, [user])
  await drain(service)
  const both = /: phones and work of fcm\/old\. Add it to PUSH_PROVIDERS_FILE/
  expect(await find()).toMatchObject({ level: 'warn', says: expect.stringMatching(both) as string })
})
