import { Box, Group, Image, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { t } from '../translation/translate.ts'

/** The push as it looks on a lock screen. Text is shown as text, whatever it holds. */
export function PhonePreview({ title, text }: { title: string; text: string }) {
  const preview = { title: title || t('Title'), text: text || t('Text of the message') }
  return (
    <Box component="section" aria-label={t('Preview')}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 1, lg: 2 }}>
        <Phone name="iPhone" radius={36}>
          <Banner {...preview} radius={20} lines={4} />
        </Phone>
        <Phone name="Android" radius={20}>
          <Banner {...preview} radius={24} lines={2} />
        </Phone>
      </SimpleGrid>
    </Box>
  )
}

function Phone({ name, radius, children }: { name: string; radius: number; children: React.ReactNode }) {
  return (
    <Stack gap={6} align="center">
      <Paper
        p="sm"
        pt={70}
        h={380}
        w="100%"
        maw={240}
        bd="6px solid var(--mantine-color-dark-4)"
        style={{ borderRadius: radius, background: 'linear-gradient(160deg, #134e5e, #1f2a44 70%)' }}
      >
        <Text ta="center" c="white" fz={40} fw={300} lh={1} mb="lg" aria-hidden>
          9:41
        </Text>
        {children}
      </Paper>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </Stack>
  )
}

function Banner({ title, text, radius, lines }: { title: string; text: string; radius: number; lines: number }) {
  return (
    <Box p="xs" style={{ borderRadius: radius, background: 'rgba(255,255,255,0.92)', color: '#16181d' }}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Image src="/bell.svg" alt="" w={28} />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} lineClamp={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text size="xs" lineClamp={lines} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        </div>
      </Group>
    </Box>
  )
}
