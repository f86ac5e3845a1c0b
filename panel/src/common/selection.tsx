import { Button, Group, Text } from '@mantine/core'
import { useCallback, useState, type ReactNode } from 'react'
import type { ListSearch } from './list-search.ts'
import { plural, t } from '../translation/translate.ts'

/** What is selected in a list: some rows of this page, or all that match. */
export type Selection = { count: number } & ({ ids: number[] } | { filter: ListSearch })

export type Toggle = (ids: number[], isPicked: boolean) => void

/** Keeps which of the visible rows are picked; rows that are not visible any more are not picked. */
export function usePicks(visible: number[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [isAll, setAll] = useState(false)
  const picked = visible.filter((id) => ids.has(id))
  const toggle: Toggle = useCallback((changed, isPicked) => {
    setAll(false)
    setIds((before) => (isPicked ? before.union(new Set(changed)) : before.difference(new Set(changed))))
  }, [])
  return {
    picked,
    isAll: isAll && picked.length === visible.length,
    pickAll: () => setAll(true),
    toggle,
    clear: () => {
      setAll(false)
      setIds(new Set())
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
  // The line is there before anything is selected, so that the rows do not jump under the pointer.
  return (
    <Group gap="xs" mih={26} role="status">
      {picked.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('Select some to change them together.')}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600} className="figure">
            {plural(count, '{count} selected', '{count} selected')}
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
        </>
      )}
    </Group>
  )
}
