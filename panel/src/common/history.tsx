import { Timeline } from '@mantine/core'
import { t } from '../translation/translate.ts'
import { ByLine } from './by-line.tsx'
import { inWords } from './labels.tsx'
import { TitledCard } from './titled-card.tsx'

type Change = Pick<Parameters<typeof ByLine>[0], 'actor' | 'at'> & {
  from: string | null
  to: string
  note: string | null
}

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
            <ByLine actor={actor} note={note} at={at} />
          </Timeline.Item>
        ))}
      </Timeline>
    </TitledCard>
  )
}
