import { Text } from '@mantine/core'
import { phoneWord, State } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { formatNumber, t } from '../translation/translate.ts'
import { endsInFailure, type Status } from './push-status.ts'

type Provider = Status['providers'][number]

type Wait = Provider['waits'][number]

const WAITS: Record<Wait['reason'], (wait: Wait) => string> = {
  halted: () => t('Nothing is sent until somebody resumes sending.'),
  away: () =>
    t(
      'The provider does not answer as it should. Sending waits and is tried again automatically; no retry is used up.',
    ),
  busy: () => t('The provider asked for time. Sending goes on by itself.'),
  platform_paused: describePause,
}

function describePause({ code, platform: paused }: Wait): string {
  const platform = phoneWord(paused ?? 'unknown')
  if (code === 'BadDeviceToken')
    return t(
      'Far more tokens for {platform} than usual are refused, perhaps because they are of the other environment than the settings: nothing is sent there until sending is resumed.',
      { platform },
    )
  if (code === 'DeviceTokenNotForTopic')
    return t(
      'Far more tokens for {platform} than usual are of another app than the settings name: nothing is sent there until sending is resumed.',
      { platform },
    )
  if (code === 'MismatchSenderId')
    return t(
      'Far more tokens for {platform} than usual are of another sender, as a Firebase project or a public key, than the settings name: nothing is sent there until sending is resumed.',
      { platform },
    )
  return t('The provider refuses our credentials for {platform}: nothing is sent there until sending is resumed.', {
    platform,
  })
}

export function describeWaits(waits: Provider['waits']): string {
  if (waits.length === 0) return t('Nothing holds sending back.')
  return waits.map((wait) => WAITS[wait.reason](wait)).join(' ')
}

/** Whether it takes pushes, or why not. */
export function describeState(provider: Provider): string {
  if (provider.breaker !== 'closed') return provider.breaker
  return endsInFailure(provider) ? 'failing' : (provider.waits[0]?.reason ?? 'sending')
}

/** Every provider with its own pace and state, where there are several. */
export function Providers({ providers }: Pick<Status, 'providers'>) {
  if (providers.length < 2) return null
  return (
    <Rows
      title={t('Providers')}
      minWidth={560}
      rowKey={({ provider }) => provider}
      rows={providers}
      columns={[
        { header: t('Provider'), isHead: true, cell: ({ provider }) => provider },
        { header: t('State'), cell: (provider) => <State of={describeState(provider)} /> },
        { header: t('What it is'), cell: ({ waits }) => <Text size="sm">{describeWaits(waits)}</Text> },
        {
          header: t('Pace'),
          isNumber: true,
          cell: ({ rate_per_second: rate }) => (rate > 0 ? `${formatNumber(rate)} / s` : t('no limit')),
        },
        { header: t('waiting'), isNumber: true, cell: ({ waiting }) => formatNumber(waiting?.copies ?? 0) },
      ]}
    />
  )
}
