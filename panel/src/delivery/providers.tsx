import { Text } from '@mantine/core'
import { phoneWord, State } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { formatNumber, t } from '../translation/translate.ts'
import { endsInFailure, type Status } from './push-status.ts'

type Provider = Status['providers'][number]

const WAITS: Record<Provider['waits'][number]['reason'], (platform: string) => string> = {
  halted: () => t('Nothing is sent until somebody resumes sending.'),
  away: () =>
    t(
      'The provider does not answer as it should. Sending waits and is tried again automatically; no retry is used up.',
    ),
  busy: () => t('The provider asked for time. Sending goes on by itself.'),
  platform_paused: (platform) =>
    t('The provider refuses our credentials for {platform}: nothing is sent there until sending is resumed.', {
      platform,
    }),
}

export function describeWaits(waits: Provider['waits']): string {
  if (waits.length === 0) return t('Nothing holds sending back.')
  return waits.map(({ reason, platform }) => WAITS[reason](phoneWord(platform ?? 'unknown'))).join(' ')
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
