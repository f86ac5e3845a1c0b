import { Text } from '@mantine/core'
import { rich, t } from '../translation/translate.ts'
import { inWords } from './labels.tsx'
import { Moment } from './moment.tsx'

/** Who made a change of a record, why, and when: the line below an entry of its history. */
export function ByLine({ actor, note, at }: { actor: string; note: string | null; at: string }) {
  const who = actor === 'system' ? t('the service') : inWords(actor)
  return (
    <Text size="sm" c="dimmed">
      {rich('by {who}', { who })}
      {note === null ? '' : ` (${note})`} · <Moment at={at} />
    </Text>
  )
}
