import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { inWords } from '../common/labels.tsx'
import { PageLink } from '../common/page-link.tsx'
import { t } from '../translation/translate.ts'
import { describeProvider, describeState } from './providers.tsx'
import { pushStatusQuery } from './push-status.ts'

/** Says that a provider takes no pushes, and why: those for its phones wait, and its figures stand still. */
export function Held({ provider }: { provider: string }) {
  const { data } = useQuery({ ...pushStatusQuery, refetchInterval: 30_000 })
  const held = data?.providers.find((one) => one.provider === provider)
  if (held === undefined || (held.breaker === 'closed' && held.waits.length === 0)) return null
  return (
    <Alert color="yellow" title={`${provider}: ${inWords(describeState(held))}`}>
      {describeProvider(held)}
      <Text size="sm">
        <PageLink to="/delivery">{t('Delivery')}</PageLink>
      </Text>
    </Alert>
  )
}
