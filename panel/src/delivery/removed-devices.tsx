import { Button, Card, Stack, Table, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../common/modal.tsx'
import { api, bodyOf } from '../api/client.ts'
import { inWords } from '../common/labels.tsx'
import { numberOf, plural, t } from '../translation/translate.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, Failure } from '../common/states.tsx'

const KEY = ['removed-devices']
const GONE = 'DeviceNotRegistered'

/** Devices removed in the last month, by day and reason; those that the provider reported gone can be restored. */
export function RemovedDevices() {
  const [chosen, choose] = useState<Chosen>()
  const days = useQuery({
    queryKey: KEY,
    queryFn: () => bodyOf(api.GET('/api/admin/push-status/removed-devices/days', { params: { query: {} } })),
  })
  return (
    <Card withBorder>
      <Title order={2} size="h4" mb="xs">
        {t('Removed devices')}
      </Title>
      <Loaded
        of={days}
        pending={120}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title={t('None')}>{t('No device was removed in the last 31 days.')}</Empty>}
      >
        {({ data }) => (
          <Table.ScrollContainer minWidth={480}>
            <Table aria-label={t('Removed devices')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Day (UTC)')}</Table.Th>
                  <Table.Th>{t('Why')}</Table.Th>
                  <Table.Th>{t('Provider')}</Table.Th>
                  <Table.Th ta="right">{t('Devices')}</Table.Th>
                  <Table.Th>{t('Undo')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map(({ day, reason, provider, devices }) => (
                  <Table.Tr key={`${day} ${reason} ${provider}`}>
                    <Table.Td>{day}</Table.Td>
                    <Table.Td>{inWords(reason)}</Table.Td>
                    <Table.Td>{provider}</Table.Td>
                    <Table.Td ta="right">{numberOf(devices)}</Table.Td>
                    <Table.Td>
                      {reason === GONE && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={t('Restore those of {day}', { day })}
                          onClick={() => choose({ day, provider })}
                        >
                          {t('Restore…')}
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
      <RestoreDialog chosen={chosen} close={() => choose(undefined)} />
    </Card>
  )
}

type Chosen = { day: string; provider: string }

function restoreOf({ day, provider }: Chosen, isDryRun: boolean) {
  const body = { start_date: day, end_date: day, provider: provider as 'expo', dry_run: isDryRun }
  return bodyOf(api.POST('/api/admin/push-status/removed-devices/restore', { body }))
}

/** Counts first, then brings back all of a day, as many calls as that takes. */
function RestoreDialog({ chosen, close }: { chosen: Chosen | undefined; close: () => void }) {
  const queries = useQueryClient()
  const count = useQuery({
    queryKey: [...KEY, chosen],
    queryFn: () => (chosen === undefined ? undefined : restoreOf(chosen, true)),
    enabled: chosen !== undefined,
    gcTime: 0,
  })
  const restore = useMutation({
    mutationFn: async (of: Chosen) => {
      let restored = 0
      for (;;) {
        const { data } = await restoreOf(of, false)
        restored += data.restored
        if (data.restorable === 0 || data.restored === 0) return restored
      }
    },
    onSuccess: async (restored) => {
      close()
      notifications.show({
        color: 'green',
        message: plural(restored, 'One device is back.', '{count} devices are back.'),
      })
      await queries.invalidateQueries({ queryKey: KEY })
    },
  })
  const found = count.data?.data
  return (
    <Modal opened={chosen !== undefined} onClose={close} title={t('Restore these devices?')}>
      <Stack>
        {found !== undefined && (
          <Text>
            {plural(
              found.restorable,
              'One device that the provider reported gone on {day} gets pushes again.',
              '{count} devices that the provider reported gone on {day} get pushes again.',
              { day: chosen?.day ?? '' },
            )}{' '}
            {found.left > 0 &&
              plural(
                found.left,
                'One stays removed: its phone or token was registered again.',
                '{count} stay removed: their phone or token was registered again.',
              )}
          </Text>
        )}
        {count.error !== null && <Failure thrown={count.error} />}
        {restore.error !== null && <Failure thrown={restore.error} />}
        <Button
          loading={restore.isPending || count.isLoading}
          disabled={found === undefined || found.restorable === 0}
          onClick={() => chosen && restore.mutate(chosen)}
          data-autofocus
        >
          {t('Restore {count}', { count: found?.restorable ?? 0 })}
        </Button>
      </Stack>
    </Modal>
  )
}
