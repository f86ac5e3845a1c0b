import { Text, Timeline } from '@mantine/core'
import { rich, t } from '../translation/translate.ts'
import { inWords } from './labels.tsx'
import { Moment } from './moment.tsx'
import { TitledCard } from './titled-card.tsx'

type Change = { from: string | null; to: string; actor: string; note: string | null; at: string }

/** Through which states a record went, in the order given. `same`: what a change from a state to itself means. */
export function History({ changes, same }: { changes: Change[]; same?: string }) {
  return (
    <TitledCard title={t('History')}>
      <Timeline bulletSize={14}>
        {changes.map(({ from, to, actor, note, at }) => (
          <Timeline.Item
            key={`${at}-${to}`}
            title={from === to ? same : `${from === null ? t('new') : inWords(from)} → ${inWords(to)}`}
          >
            <ByLine {...{ actor, note, at }} />
          </Timeline.Item>
        ))}
      </Timeline>
    </TitledCard>
  )
}

function ByLine({ actor, note, at }: Pick<Change, 'actor' | 'note' | 'at'>) {
  const who = actor === 'system' ? t('the service') : inWords(actor)
  return (
    <Text size="sm" c="dimmed">
      {rich('by {who}', { who })}
      {note === null ? '' : ` (${note})`} · <Moment at={at} />
    </Text>
  )
}
