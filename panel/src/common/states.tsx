import { Alert, Button, Center, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { toRefusal } from '../api/refusal.ts'
import { inWords } from './labels.tsx'
import { rich, t } from '../translation/translate.ts'

/** False when a repeated call would get the same answer: refused, missing or invalid. */
function isWorthRetrying(status: number): boolean {
  return status < 400 || status === 408 || status === 429 || status >= 500
}

export function Failure({ thrown, retry }: { thrown: unknown; retry?: () => void }) {
  const { message, detail, fields, requestId, status } = toRefusal(thrown)
  const faults = Object.entries(fields).map(([field, texts]) => `${inWords(field)}: ${texts.join(', ')}`)
  const details = faults.length > 0 ? faults : detail === undefined ? [] : [detail]
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={message} role="alert">
      <Stack gap="xs" align="flex-start">
        {details.map((text) => (
          <Text size="sm" key={text}>
            {text}
          </Text>
        ))}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            {rich('Request {id}', { id: <Code key="id">{requestId}</Code> })}
          </Text>
        )}
        {retry !== undefined && isWorthRetrying(status) && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

/** The rows of a table that is still loading: as many columns as it will have, so that nothing jumps. */
export function SkeletonRows({ columns, rows = 8 }: { columns: number; rows?: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_unused, column) => (
        <Table.Td key={column}>
          <Skeleton height={18} width={column === 0 ? '70%' : '50%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}

type PageHeaderProps = { title: string; state?: ReactNode; about?: ReactNode; children?: ReactNode; isPart?: boolean }

export function PageHeader({ title, state, about, children, isPart = false }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="flex-start" mb="xs">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {!isPart && <title>{`${title} · Swapbell`}</title>}
        <Group gap="sm">
          <Title order={isPart ? 2 : 1} size={isPart ? 'h3' : 'h2'}>
            {title}
          </Title>
          {state}
        </Group>
        {about !== undefined && (
          <Text c="dimmed" size="sm">
            {about}
          </Text>
        )}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}
