import { Button, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { t } from '../translation/translate.ts'
import type { ListSearch } from './list-search.ts'

/** The columns that the address leaves out, by their places from 1 on; the first is always shown. */
function hiddenPlaces(search: ListSearch): number[] {
  return String(search['columns'] ?? '')
    .split('-')
    .map(Number)
    .filter((place) => place > 0)
}

export function visibleColumns<Shown>(columns: Shown[], search: ListSearch): Shown[] {
  const hidden = hiddenPlaces(search)
  return columns.filter((_, place) => !hidden.includes(place))
}

/** The parameters for the API: the address without the choice of columns. */
export function withoutColumns({ columns: _columns, ...search }: ListSearch): ListSearch {
  return search
}

type ColumnChoiceProps = {
  columns: { header: string }[]
  search: ListSearch
  show: (change: ListSearch) => void
}

/** Chooses the columns of a list. The choice is in the address. */
export function ColumnChoice({ columns, search, show }: ColumnChoiceProps) {
  const hidden = hiddenPlaces(search)
  const toggle = (place: number, isShown: boolean) => {
    const next = isShown ? hidden.filter((other) => other !== place) : [...hidden, place].toSorted((a, b) => a - b)
    // A dash at the end keeps one place a text in the address.
    show({ columns: next.length === 0 ? undefined : `${next.join('-')}-`, page: search['page'] })
  }
  return (
    <Popover position="bottom-start" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {t('Columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns')}>
        <Stack gap="xs">
          {columns.map(({ header }, place) => (
            <label key={header} className="beside">
              <input
                type="checkbox"
                className="box"
                disabled={place === 0}
                checked={!hidden.includes(place)}
                onChange={({ currentTarget }) => toggle(place, currentTarget.checked)}
              />
              {header}
            </label>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
