import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../common/loaded.tsx'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { Empty } from '../common/states.tsx'
import { formatNumber, rich, t } from '../translation/translate.ts'
import { WORK, waitingQuery, type Waiting } from './waiting.ts'

/** All that waits for the administrator, each with its number and the age of the oldest. */
export function Inbox() {
  const waiting = useQuery(waitingQuery)
  return (
    <Loaded
      of={waiting}
      pending={120}
      isEmpty={(kinds) => kinds.every(({ count }) => count === 0)}
      empty={
        <Card withBorder>
          <Empty title={t('Nothing waits for you')}>{t('New work appears here by itself.')}</Empty>
        </Card>
      }
    >
      {(kinds) => (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('What waits for you')}>
          {kinds
            .filter(({ count }) => count > 0)
            .map((kind) => (
              <Line key={kind.kind} waiting={kind} />
            ))}
        </Stack>
      )}
    </Loaded>
  )
}

function Line({ waiting: { kind, count, oldest_at: oldest } }: { waiting: Waiting }) {
  const { to, label } = WORK[kind]
  return (
    <Card withBorder padding="sm" component="li">
      <Group justify="space-between" gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Badge color={kind === 'halts' ? 'red.8' : 'orange.9'} size="lg" variant="filled" className="figure">
            {formatNumber(count)}
          </Badge>
          <PageLink to={to}>{label(count)}</PageLink>
        </Group>
        {oldest !== null && (
          <Text size="sm" c="dimmed">
            {rich('the oldest: {when}', { when: <Moment key="when" at={oldest} /> })}
          </Text>
        )}
      </Group>
    </Card>
  )
}
