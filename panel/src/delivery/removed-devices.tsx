import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Rows } from '../common/list-rows.tsx'
import { useCall } from '../common/use-call.ts'
import { formatNumber, plural, t } from '../translation/translate.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, Failure } from '../common/states.tsx'
import { TitledCard } from '../common/titled-card.tsx'

const KEY = 'removed-devices'
const GONE = 'DeviceNotRegistered'

type Reason = Awaited<ReturnType<typeof loadDays>>['data'][number]['reason']

const REASONS: Record<Reason, string> = {
  [GONE]: t('app gone, says the provider'),
  MismatchSenderId: t('of another sender'),
  released: t('signed out there'),
  moved: t('of another account now'),
  replaced: t('has another address now'),
}

function loadDays() {
  return readBody(api.GET('/api/admin/push-status/removed-devices/days', { params: { query: {} } }))
}

/** Devices removed in the last month, by day and reason; those that the provider reported gone can be restored. */
export function RemovedDevices() {
  const days = useQuery({ queryKey: [KEY], queryFn: loadDays })
  return (
    <TitledCard title={t('Removed devices')}>
      <Loaded
        of={days}
        pending={120}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title={t('None')}>{t('No device was removed in the last 31 days.')}</Empty>}
      >
        {({ data }) => (
          <Rows
            title={t('Removed devices')}
            minWidth={640}
            rowKey={({ day, reason, provider }) => `${day} ${reason} ${provider}`}
            rows={data}
            columns={[
              { header: t('Day (UTC)'), cell: ({ day }) => <span className="moment">{day}</span> },
              { header: t('Why'), cell: ({ reason }) => REASONS[reason] },
              { header: t('Provider'), cell: ({ provider }) => provider },
              { header: t('Devices'), isNumber: true, cell: ({ devices }) => formatNumber(devices) },
              { header: t('Undo'), cell: (row) => row.reason === GONE && <Restore {...row} /> },
            ]}
          />
        )}
      </Loaded>
    </TitledCard>
  )
}

type Chosen = { day: string; provider: string }

function restoreDevices({ day, provider }: Chosen, isDryRun: boolean) {
  const body = { start_date: day, end_date: day, provider: provider as 'expo', dry_run: isDryRun }
  return readBody(api.POST('/api/admin/push-status/removed-devices/restore', { body }))
}

function Restore({ day, provider }: Chosen) {
  return (
    <DialogButton
      size="compact-sm"
      aria-label={t('Restore those of {day}', { day })}
      opens={t('Restore…')}
      heading={t('Restore these devices?')}
    >
      {(close) => <RestoreForm chosen={{ day, provider }} close={close} />}
    </DialogButton>
  )
}

/** Counts first, then brings back all of a day, as many calls as that takes. */
function RestoreForm({ chosen, close }: { chosen: Chosen; close: () => void }) {
  const count = useQuery({ queryKey: [KEY, chosen], queryFn: () => restoreDevices(chosen, true), gcTime: 0 })
  const restore = useCall(
    async () => {
      let restored = 0
      for (;;) {
        const { data } = await restoreDevices(chosen, false)
        restored += data.restored
        if (data.restorable === 0 || data.restored === 0) return restored
      }
    },
    {
      done: (restored) => plural(restored, 'One device is back.', '{count} devices are back.'),
      onDone: close,
      refresh: [KEY],
      isShown: true,
    },
  )
  const found = count.data?.data
  return (
    <Stack>
      {found !== undefined && (
        <Text>
          {plural(
            found.restorable,
            'One device that the provider reported gone on {day} gets pushes again.',
            '{count} devices that the provider reported gone on {day} get pushes again.',
            { day: chosen.day },
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
        onClick={() => restore.mutate(undefined)}
        data-autofocus
      >
        {t('Restore {count}', { count: found?.restorable ?? 0 })}
      </Button>
    </Stack>
  )
}
