import { Text } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import { formatNumber, t } from '../translation/translate.ts'

/** `isWorse`: it is bad when there is more of it. */
export function Change({ percent, isWorse = false }: { percent: number; isWorse?: boolean }) {
  if (percent === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('as before')}
      </Text>
    )
  const isDown = percent < 0
  const Arrow = isDown ? IconArrowDownRight : IconArrowUpRight
  return (
    <Text size="sm" c={isDown === isWorse ? 'teal' : 'red'} className="figure">
      <Arrow size={14} aria-hidden style={{ verticalAlign: -2 }} /> {formatNumber(Math.abs(percent))} %
      <span className="visually-hidden">{isDown ? t(' less than before') : t(' more than before')}</span>
    </Text>
  )
}
