import { Anchor, Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../translation/translate.ts'

type EntryPageProps = { about: string; link?: { to: string; label: string } | undefined; children: ReactNode }

export const TO_SIGN_IN = { to: '/sign-in', label: t('Sign in to the administration.') }

export function EntryPage({ about, link, children }: EntryPageProps) {
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
          {link && (
            <Anchor href={link.to} size="sm">
              {link.label}
            </Anchor>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}
