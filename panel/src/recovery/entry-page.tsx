import { Anchor, Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../translation/translate.ts'

/** A page for people who are not signed in, with the way to the sign-in page. */
export function EntryPage({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Center mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400} component="main">
        <Stack>
          <Group gap="sm">
            <Image src="/bell.svg" alt="" w={36} />
            <Title order={1} size="h2">
              Swapbell
            </Title>
          </Group>
          <Text c="dimmed" size="sm">
            {about}
          </Text>
          {children}
          <Anchor href="/sign-in" size="sm">
            {t('Sign in to the administration.')}
          </Anchor>
        </Stack>
      </Paper>
    </Center>
  )
}
