import { Stack } from '@mantine/core'
import { useMay, useSession } from '../api/session.ts'
import { PageHeader } from '../common/states.tsx'
import { t } from '../translation/translate.ts'
import { Figures } from './figures.tsx'
import { Inbox } from './inbox.tsx'

export function HomePage() {
  const { name } = useSession()
  const mayInsights = useMay('insights')
  return (
    <Stack gap="lg">
      <PageHeader title={t('Hello, {name}', { name: name.split(' ')[0] ?? '' })} about={t('What needs you today.')} />
      <Inbox />
      {mayInsights && <Figures />}
    </Stack>
  )
}
