import { Button, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { Loaded } from '../common/loaded.tsx'
import { Failure } from '../common/states.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'
import { isToldFor, knowsPush, startPush, stopPush } from './browser-push.ts'

function browserQuery(userId: number) {
  return queryOptions({
    queryKey: ['browser', userId],
    queryFn: async () => {
      const { data } = await readBody(api.GET('/api/admin/v1/browser'))
      return { publicKey: data.public_key, isTold: await isToldFor(userId) }
    },
  })
}

/** Whether this browser is told of what waits while the panel is closed. Absent where the service cannot. */
export function BrowserPush() {
  const browser = useQuery(browserQuery(useSession().id))
  return (
    <Loaded of={browser} pending={0}>
      {({ publicKey, isTold }) => (publicKey === null ? null : <Choice publicKey={publicKey} isTold={isTold} />)}
    </Loaded>
  )
}

function Choice({ publicKey, isTold }: { publicKey: string; isTold: boolean }) {
  const { id } = useSession()
  const refresh = ['browser']
  const start = useCall(() => startPush(publicKey, id), { refresh, isShown: true })
  const stop = useCall(stopPush, { done: t('This browser is not told any more.'), refresh, isShown: true })
  return (
    <TitledCard title={t('What waits, in this browser')}>
      <Text size="sm">
        {t(
          'This browser can tell you of a new alert or a request for approval while the panel is closed. It says only that something waits.',
        )}
      </Text>
      {start.error !== null && <Failure thrown={start.error} />}
      {start.data === false && (
        <Text size="sm">{t('This browser blocks notifications here. Allow them in its settings.')}</Text>
      )}
      {!knowsPush() && <Text size="sm">{t('This browser cannot do that, or not at this address.')}</Text>}
      {knowsPush() && isTold && (
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t('Stop telling this browser')}
        </Button>
      )}
      {knowsPush() && !isTold && (
        <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
          {t('Tell this browser')}
        </Button>
      )}
    </TitledCard>
  )
}
