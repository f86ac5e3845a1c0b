import { Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { ListSearch } from './list-search.ts'
import { t } from '../translation/translate.ts'

/** What is selected in a list: some rows of this page, or all that match. */
export type Selection = { count: number } & ({ ids: number[] } | { filter: ListSearch })

/** Which of the rows shown are picked; rows that are not shown any more are not picked. */
export function usePicks(shown: number[]) {
  const [ids, setIds] = useState<number[]>([])
  const [isAll, setAll] = useState(false)
  const picked = shown.filter((id) => ids.includes(id))
  return {
    picked,
    isAll: isAll && picked.length === shown.length,
    pickAll: () => setAll(true),
    toggle: (changed: number[], isPicked: boolean) => {
      setAll(false)
      setIds(isPicked ? [...new Set([...picked, ...changed])] : picked.filter((id) => !changed.includes(id)))
    },
    clear: () => {
      setAll(false)
      setIds([])
    },
  }
}

type SelectionBarProps = {
  picked: number[]
  total: number
  search: ListSearch
  picks: { isAll: boolean; pickAll: () => void; clear: () => void }
  actions: (selection: Selection, clear: () => void) => ReactNode
}

/** How many rows are selected, what can be done with them, and the way from this page to all that match. */
export function SelectionBar({ picked, total, search, picks: { isAll, pickAll, clear }, actions }: SelectionBarProps) {
  const { page: _page, per_page: size, sort_by: _by, sort_order: _order, ...filter } = search
  const count = isAll ? total : picked.length
  const isWholePage = picked.length < total && picked.length >= Math.min(total, Number(size ?? 20))
  return (
    <Group gap="xs" role="status">
      <Text size="sm" fw={600} className="figure">
        {t('{count} selected', { count })}
      </Text>
      {isWholePage && !isAll && (
        <Button size="compact-sm" variant="subtle" onClick={pickAll}>
          {t('Select all {count} that match', { count: total })}
        </Button>
      )}
      {actions(isAll ? { count, filter } : { count, ids: picked }, clear)}
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        {t('Select none')}
      </Button>
    </Group>
  )
}
