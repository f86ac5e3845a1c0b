import { Card, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type FactsProps = { title: string; facts: (readonly [string, ReactNode] | false)[] }

export function Facts({ title, facts }: FactsProps) {
  return (
    <Card withBorder>
      <Text fw={600} mb="xs" component="h2" size="md">
        {title}
      </Text>
      <Table verticalSpacing={6} highlightOnHover={false} aria-label={title}>
        <Table.Tbody>
          {facts
            .filter((row) => row !== false)
            .map(([name, fact], index) => (
              <Table.Tr key={`${name}-${index}`}>
                <Table.Th w="35%" fw={400} c="dimmed" scope="row">
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{fact ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}
