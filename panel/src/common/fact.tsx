import { Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      <div>{children}</div>
    </Card>
  )
}
