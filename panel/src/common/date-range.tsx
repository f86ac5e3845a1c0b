import { Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { viewersZone } from './days.ts'
import { changed, type ListSearch } from './list-search.ts'
import { t } from '../translation/translate.ts'

const ENDS = [
  ['start_date', t('From')],
  ['end_date', t('To')],
] as const

/** The first and the last day of a list. The address names their time zone, so a link shows everybody the same. */
export function DateRange() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (change: ListSearch) => {
    const { timezone: _zone, ...next } = changed(search, change)
    const hasDays = ENDS.some(([name]) => name in next)
    void navigate({ to: '.', search: hasDays ? { ...next, timezone: viewersZone() } : next })
  }
  return ENDS.map(([name, label]) => (
    <TextInput
      key={name}
      type="date"
      aria-label={label}
      leftSection={
        <Text size="sm" c="dimmed">
          {label}
        </Text>
      }
      leftSectionWidth={60}
      value={String(search[name] ?? '')}
      onChange={({ currentTarget: { value } }) => show({ [name]: value })}
    />
  ))
}
