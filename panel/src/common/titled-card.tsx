import { Card, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function TitledCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Stack>
        <Text fw={600} component="h2" size="md">
          {title}
        </Text>
        {children}
      </Stack>
    </Card>
  )
}
