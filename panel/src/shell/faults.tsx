import { Anchor, Container, Skeleton, Stack } from '@mantine/core'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Empty, Failure } from '../common/states.tsx'
import { t } from '../translation/translate.ts'

export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => void router.invalidate().then(reset)
  return (
    <Container size="sm" py="xl">
      <Failure thrown={error} retry={retry} />
    </Container>
  )
}

export function PageLoading() {
  return (
    <Stack role="status" aria-label={t('Loading')}>
      <Skeleton height={36} width={280} />
      <Skeleton height={320} />
    </Stack>
  )
}

export function NotFound() {
  return (
    <Empty
      title={t('There is no such page')}
      action={
        <Anchor component={Link} to="/">
          {t('Go to the home page')}
        </Anchor>
      }
    >
      {t('The address may be mistyped, or the page has moved.')}
    </Empty>
  )
}
