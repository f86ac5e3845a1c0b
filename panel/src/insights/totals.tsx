import { Group, Text } from '@mantine/core'
import { Change } from '../common/change.tsx'
import type { Insight } from './metrics.ts'
import { formatNumber, t } from '../translation/translate.ts'

type TotalsProps = { insight: Pick<Insight, 'totals' | 'comparison'>; figures: Readonly<Record<string, string>> }

/** Each figure for the whole range, and how it differs from the range that it is compared with. */
export function Totals({ insight: { totals, comparison }, figures }: TotalsProps) {
  return (
    <Group gap="xl" mb="xs">
      {Object.entries(figures).map(([key, label]) => {
        const percent = comparison?.changes[key]?.change_percent
        const before = comparison?.totals[key]
        return (
          <div key={key} role="group" aria-label={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Group gap="xs" align="baseline">
              <Text fz={20} fw={600} className="figure">
                {formatFigure(totals[key])}
              </Text>
              {typeof percent === 'number' && <Change percent={percent} isWorse={key === 'inactive'} />}
            </Group>
            {typeof before === 'number' && (
              <Text size="xs" c="dimmed">
                {t('{count} before', { count: formatNumber(before) })}
              </Text>
            )}
          </div>
        )
      })}
    </Group>
  )
}

function formatFigure(value: number | null | undefined): string {
  return typeof value === 'number' ? formatNumber(value) : '–'
}
