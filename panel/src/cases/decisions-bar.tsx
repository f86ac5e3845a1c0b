import { Button, Group, Kbd, Paper, Text } from '@mantine/core'
import { plural, t } from '../translation/translate.ts'
import type { Made } from './decisions.tsx'

const SHOWN = 3

/** The decisions of which nobody was told, and the way back; the newest first. */
export function DecisionsBar({ open, undo }: { open: Made[]; undo: (one: Made) => void }) {
  const more = open.length - SHOWN
  return (
    <div role="status" className="decisions-bar">
      {open.slice(0, SHOWN).map((one, place) => (
        <Paper withBorder shadow="sm" p="xs" key={one.key}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {one.waiting}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              style={{ flexShrink: 0 }}
              onClick={() => undo(one)}
              rightSection={place === 0 && <Kbd size="xs">Z</Kbd>}
            >
              {t('Undo')}
            </Button>
          </Group>
          <div className="running-out" aria-hidden />
        </Paper>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {plural(more, 'and one more', 'and {count} more')}
        </Text>
      )}
    </div>
  )
}
