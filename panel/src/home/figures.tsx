import { Card, Group, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { Change } from '../common/change.tsx'
import { lastDays, viewersZone } from '../common/days.ts'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { PageHeader } from '../common/states.tsx'
import { formatNumber, t } from '../translation/translate.ts'

const SHOWN = [
  ['active_users', t('Active users'), t('People with at least one signed-in call in these seven days.')],
  ['new_users', t('New users'), t('People who registered and were active.')],
  ['products_listed', t('Products listed'), ''],
  ['swaps_requested', t('Swaps proposed'), ''],
  ['swaps_completed', t('Swaps completed'), ''],
  ['pushes_sent', t('Pushes sent'), ''],
  ['pushes_opened', t('Pushes opened'), ''],
] as const

const COLUMNS = { base: 2, sm: 3, lg: 4 }

/** Whole days, beside the seven before: a day that has just begun compares with none. */
export function Figures() {
  const figures = useQuery({
    queryKey: ['home', 'figures'],
    queryFn: async () => {
      const query = { ...lastDays(7), timezone: viewersZone(), compare: 'previous_period', interval: 'day' } as const
      return (await readBody(api.GET('/api/admin/v1/insight/engagement-overview', { params: { query } }))).data
    },
    staleTime: 60_000,
  })
  return (
    <section>
      <PageHeader isPart title={t('The seven days before today')}>
        <PageLink to="/insights">{t('All insights')}</PageLink>
      </PageHeader>
      <Loaded
        of={figures}
        pending={
          <SimpleGrid cols={COLUMNS}>
            {SHOWN.map(([key]) => (
              <Skeleton key={key} height={82} />
            ))}
          </SimpleGrid>
        }
      >
        {({ totals, comparison }) => (
          <SimpleGrid cols={COLUMNS}>
            {SHOWN.map(([key, label, about]) => (
              <Figure
                key={key}
                label={label}
                about={about}
                value={totals[key]}
                percent={comparison?.changes[key].change_percent}
              />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
    </section>
  )
}

type FigureProps = {
  label: string
  about: string
  value: number | null | undefined
  percent: number | null | undefined
}

function Figure({ label, about, value, percent }: FigureProps) {
  return (
    <Card withBorder padding="sm" title={about}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group gap="xs" align="baseline">
        <Text fz={24} fw={600} className="figure">
          {value === null || value === undefined ? '–' : formatNumber(value)}
        </Text>
        {percent !== null && percent !== undefined && <Change percent={percent} />}
      </Group>
    </Card>
  )
}
