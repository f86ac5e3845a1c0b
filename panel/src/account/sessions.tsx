import { Button, Group, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { Tag } from '../common/labels.tsx'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Failure } from '../common/states.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

const sessionsQuery = queryOptions({
  queryKey: ['own sessions'],
  queryFn: () => readBody(api.GET('/api/v1/account/sessions')),
})

type Session = Awaited<ReturnType<NonNullable<typeof sessionsQuery.queryFn>>>['data'][number]

/** Where one is signed in, with buttons to end it: one session, or all others. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const end = useCall(
    (id: string | undefined) =>
      id === undefined
        ? readBody(api.DELETE('/api/v1/account/sessions'))
        : readBody(api.DELETE('/api/v1/account/sessions/{session_id}', { params: { path: { session_id: id } } })),
    { done: t('Signed out there.'), refresh: sessionsQuery.queryKey, isShown: true },
  )
  return (
    <TitledCard title={t('Where you are signed in')}>
      {end.error !== null && <Failure thrown={end.error} />}
      <Loaded of={sessions} pending={40}>
        {({ data: rows }) => (
          <>
            {rows.map((row) => (
              <SessionRow key={row.id} row={row} isEnding={end.isPending} end={() => end.mutate(row.id)} />
            ))}
            {rows.length > 1 && (
              <Button variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
                {t('End all other sessions')}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </TitledCard>
  )
}

function SessionRow({ row, isEnding, end }: { row: Session; isEnding: boolean; end: () => void }) {
  const device = row.device ?? t('An unknown device')
  return (
    <Group justify="space-between" wrap="nowrap">
      <Stack gap={0}>
        <Group gap="xs">
          <Text size="sm">{device}</Text>
          {row.is_current && <Tag color="cyan">{t('This session')}</Tag>}
        </Group>
        <Text size="xs" c="dimmed">
          {row.network} · <Moment at={row.last_seen_at} />
        </Text>
      </Stack>
      {!row.is_current && (
        <Button
          size="xs"
          variant="default"
          disabled={isEnding}
          onClick={end}
          aria-label={t('End the session of {device}', { device })}
        >
          {t('End')}
        </Button>
      )}
    </Group>
  )
}
