import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
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
