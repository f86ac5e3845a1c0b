import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { refusalInWords, toRefusal, describeRefusal } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'
import { SHORT } from './moment.tsx'
import { Failure } from './states.tsx'

/** A query, as far as it matters for what is shown of it. */
type LoadState<Data> = {
  data: Data | undefined
  error: unknown
  /** When `data` came. */
  dataUpdatedAt: number
}

type LoadedProps<Data> = {
  of: LoadState<Data>
  /** What is shown until there is an answer: a height, or something that looks like the answer. */
  pending: number | ReactNode
  isEmpty?: (data: Data) => boolean
  /** What is shown in place of nothing. */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a query has answered. A failure takes its place, or says of when it is. */
export function Loaded<Data>({ of, pending, isEmpty, empty, children }: LoadedProps<Data>) {
  const { data, error } = of
  const retry = useRetry()
  if (data === undefined)
    return error === null ? (
      typeof pending === 'number' ? (
        <Skeleton height={pending} />
      ) : (
        pending
      )
    ) : (
      <Failure thrown={error} retry={retry} />
    )
  return (
    <>
      <Stale of={of} />
      {isEmpty?.(data) ? empty : children(data)}
    </>
  )
}

/** Asks again for everything on the page that has failed. */
function useRetry(): () => void {
  const queries = useQueryClient()
  return () => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}

/** Says of when the answer is, if it could not be asked for again. */
function Stale({ of: { error, dataUpdatedAt } }: { of: LoadState<unknown> }) {
  const retry = useRetry()
  if (error === null) return null
  return (
    <Alert color="yellow" icon={<IconCloudOff />} role="status" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {t('As of {time}.', { time: SHORT.format(dataUpdatedAt) })} {describeRefusal(toRefusal(error))}
        </Text>
        <Button size="compact-sm" variant="default" onClick={retry}>
          {t('Try again')}
        </Button>
      </Group>
    </Alert>
  )
}

/**
 * Loads a script of the panel. Without it the frame stays; the router would load the panel anew for the browser's own
 * error.
 */
export function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  return load().catch(() => {
    throw refusalInWords('UNREACHABLE', t('The service cannot be reached. Check your connection.'))
  })
}

/** A component whose script is loaded when it is drawn first. A failure takes its place, with another try. */
export function part<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) {
  return function Part(props: Props) {
    const script = useQuery({
      queryKey: ['script', name],
      queryFn: async () => ({ Drawn: await loadScript(load) }),
      // It is not 'static', which would never be asked for again.
      staleTime: Infinity,
      structuralSharing: false,
    })
    return (
      <Loaded of={script} pending={null}>
        {({ Drawn }) => <Drawn {...props} />}
      </Loaded>
    )
  }
}
