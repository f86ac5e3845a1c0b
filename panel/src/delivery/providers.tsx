import { Text } from '@mantine/core'
import { phoneWord, State } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { Moment } from '../common/moment.tsx'
import { formatNumber, rich, t } from '../translation/translate.ts'
import { NextTry } from './next-try.tsx'
import { isFailing, type Provider } from './push-status.ts'

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

/** Why nothing leaves, or what to know although it does. */
export function describeProvider(provider: Provider): string {
  return isFailing(provider)
    ? t('Its last requests failed. Their pushes are tried again; if this goes on, sending waits by itself.')
    : describeWaits(provider.waits)
}

export function describeWaits(waits: Provider['waits']): string {
  if (waits.length === 0) return t('Nothing holds sending back.')
  return waits.map((wait) => WAITS[wait.reason](wait)).join(' ')
}

/** Whether it takes pushes, or why not. */
export function describeState(provider: Provider): string {
  if (provider.breaker !== 'closed') return provider.breaker
  return isFailing(provider) ? 'failing' : (provider.waits[0]?.reason ?? 'sending')
}

export function formatPace(perSecond: number): string {
  return perSecond > 0 ? `${formatNumber(perSecond)} / s` : t('no limit')
}

/** Several providers, each with its own pace and state. */
export function Providers({ providers }: { providers: Provider[] }) {
  return (
    <Rows
      title={t('Providers')}
      minWidth={760}
      rowKey={({ provider }) => provider}
      rows={providers}
      columns={[
        { header: t('Provider'), isHead: true, cell: ({ provider }) => provider },
        { header: t('State'), cell: (provider) => <State of={describeState(provider)} /> },
        {
          header: t('Details'),
          cell: (provider) => (
            <>
              <Text size="sm">{describeProvider(provider)}</Text>
              <Answers recent={provider.recent} />
            </>
          ),
        },
        { header: t('Since'), cell: (provider) => <Since of={provider} /> },
        { header: t('Pace'), isNumber: true, cell: ({ rate_per_second: rate }) => formatPace(rate) },
        { header: t('Waiting'), isNumber: true, cell: ({ waiting }) => formatNumber(waiting?.copies ?? 0) },
      ]}
    />
  )
}

/** Since when it does not take pushes, when it is tried next, and what it said. */
export function Since({ of: { since, retry_at: retryAt, code } }: { of: Provider }) {
  return (
    <>
      <Moment at={since} none={t('no fault')} />
      {retryAt !== null && (
        <Text size="sm" c="dimmed">
          <NextTry at={retryAt} />
        </Text>
      )}
      {code !== null && <Text size="sm">{code}</Text>}
    </>
  )
}

/** What the provider said lately: whether it answers is not known from anything else. */
export function Answers({ recent }: Pick<Provider, 'recent'>) {
  if (recent === null) return <Text size="sm">{t('Its last answers are not known at the moment.')}</Text>
  const { requests, failures, last_failure: failure, last_success_at: last } = recent
  return (
    <>
      <Text size="sm" {...(failures > 0 && { c: 'red', fw: 600 })}>
        {requests === 0
          ? t('No request in the last five minutes.')
          : t('{failures} of its last {requests} requests failed, within five minutes.', { failures, requests })}
      </Text>
      {failure !== null && (
        <Text size="sm" c="dimmed">
          {rich('Last failure: {when}, {code}', { when: <Moment key="when" at={failure.at} />, code: failure.code })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {rich('Last success: {when}', { when: <Moment key="when" at={last} none={t('not known')} /> })}
      </Text>
    </>
  )
}
