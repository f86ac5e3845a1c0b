import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { toRefusal, wordsOf } from '../api/refusal.ts'
import { locale } from '../translation/language.ts'
import { t } from '../translation/translate.ts'
import { Failure } from './states.tsx'

/** A query, as far as it matters for what is shown of it. */
type Asked<Data> = {
  data: Data | undefined
  error: unknown
  /** When `data` came. */
  dataUpdatedAt: number
  refetch: () => unknown
}

type LoadedProps<Data> = {
  of: Asked<Data>
  /** What is shown until there is an answer: a height, or something that looks like the answer. */
  pending: number | ReactNode
  isEmpty?: (data: Data) => boolean
  /** What is shown in place of nothing. */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a query has answered. A failure takes its place, or says of when it is. */
export function Loaded<Data>({ of, pending, isEmpty, empty, children }: LoadedProps<Data>) {
  const { data, error, refetch } = of
  if (data === undefined)
    return error === null ? (
      typeof pending === 'number' ? (
        <Skeleton height={pending} />
      ) : (
        pending
      )
    ) : (
      <Failure thrown={error} retry={() => void refetch()} />
    )
  return (
    <>
      <Stale of={of} />
      {isEmpty?.(data) ? empty : children(data)}
    </>
  )
}

const TIME = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

/** Says of when the answer is, if it could not be asked for again. */
function Stale({ of: { error, dataUpdatedAt, refetch } }: { of: Asked<unknown> }) {
  if (error === null) return null
  return (
    <Alert color="yellow" icon={<IconCloudOff />} role="status" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {t('As of {time}.', { time: TIME.format(dataUpdatedAt) })} {wordsOf(toRefusal(error))}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          {t('Try again')}
        </Button>
      </Group>
    </Alert>
  )
}
