import { Alert, Card, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Tag } from '../common/labels.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Moment } from '../common/moment.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { useEntry } from '../shell/navigation.ts'
import { rich, t } from '../translation/translate.ts'
import { Comparison } from './roll-out-comparison.tsx'
import { Steps } from './roll-out-steps.tsx'
import { computeRate } from './roll-out-judgement.ts'
import { Held } from './held.tsx'
import { rollOutsQuery, splitWays, type RollOut } from './roll-outs.ts'

/** Phones that Expo reaches come to be reached directly, a share of them at a time. */
export function RollOutPage() {
  const rollOuts = useQuery(rollOutsQuery)
  return (
    <Stack>
      <PageHeader {...useEntry()} />
      <Loaded of={rollOuts} pending={480} isEmpty={(all) => all.length === 0} empty={<NoProvider />}>
        {(all) => <RollOuts all={all} from={all[0]!.from} />}
      </Loaded>
    </Stack>
  )
}

/** All have the same provider of the other address. */
function RollOuts({ all, from }: { all: RollOut[]; from: string }) {
  return (
    <Stack>
      <Text size="sm">
        {t(
          'A roll-out ends by itself when too many apps are gone: their share of what is sent directly is at least twice that by {from}, with 200 answers or more by each way, and the phones of 10 people or more. All its phones are then reached by {from} again.',
          { from },
        )}
      </Text>
      <Held provider={from} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {all.map((rollOut) => (
          <Provider key={rollOut.provider} of={rollOut} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function NoProvider() {
  return (
    <Empty title={t('Only Expo is set up')}>
      {rich(
        'Name Apple or Google in the file of {setting}, and let the app send both addresses of a phone. {page} has each step.',
        { setting: <Code key="setting">PUSH_PROVIDERS_FILE</Code>, page: <Code key="page">docs/providers.md</Code> },
      )}
    </Empty>
  )
}

const COLOURS: Record<number, string> = { 0: 'gray', 100: 'green' }

function Provider({ of }: { of: RollOut }) {
  const { provider, share, phones } = of
  return (
    <Card withBorder component="section" aria-label={provider}>
      <Stack>
        <Group justify="space-between" gap="xs">
          <Text fw={600} component="h2" size="md" className="wrap">
            {provider}
          </Text>
          <Tag color={COLOURS[share] ?? 'blue'}>{t('{share} % directly', { share })}</Tag>
        </Group>
        <Held provider={provider} />
        <Returned of={of} />
        <Steps of={of} />
        {phones === 0 && of.changed_at === null ? (
          <Text size="sm">
            {rich('No phone has sent both addresses yet. {page} says what the app does.', {
              page: <Code key="page">docs/mobile.md</Code>,
            })}
          </Text>
        ) : (
          <Comparison of={of} />
        )}
      </Stack>
    </Card>
  )
}

/** Why the service has taken the share back. */
function Returned({ of }: { of: RollOut }) {
  const { from, returned_at: at } = of
  if (at === null) return null
  const { count, whole } = computeRate(splitWays(of)[0], 'gone')
  return (
    <Alert color="yellow" title={t('All phones returned to {from}', { from })}>
      {t(
        '{count} of {whole} pushes that were sent directly met a phone that is gone, at least twice the share by {from}. The phones that were removed for it are back. Find the reason before you begin again: often the app, its environment or the key is not that of the phones.',
        { count, whole, from },
      )}
      <Text size="sm">
        <Moment at={at} />
      </Text>
    </Alert>
  )
}
