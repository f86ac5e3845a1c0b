import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { changed } from './list-search.ts'
import { t } from '../translation/translate.ts'

/** Says what a parameter of the address limits a list to. A click removes the parameter. */
export function NarrowedTo({ name, label }: { name: string; label: string }) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <Button
      variant="light"
      rightSection={<IconX size={16} aria-hidden />}
      aria-label={t('{what}: take away', { what: label })}
      onClick={() => void navigate({ to: '.', search: changed(search, { [name]: undefined }) })}
    >
      {label}
    </Button>
  )
}

type NarrowedToPersonProps = {
  id: number
  /** The first word of the keys of the list's queries. */
  list: string
  /** Finds the name in one of the records, because not everybody may read accounts. */
  findName: (id: number) => Promise<string | undefined>
  label: (name: string) => string
}

/** Says whose records a list shows. A click shows those of all. */
export function NarrowedToPerson({ id, list, findName, label }: NarrowedToPersonProps) {
  const { data, isPending } = useQuery({
    queryKey: [list, 'person', id],
    queryFn: async () => (await findName(id)) ?? null,
  })
  if (isPending) return null
  return <NarrowedTo name="user_id" label={label(data ?? t('no. {id}', { id: String(id) }))} />
}
