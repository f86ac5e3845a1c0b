import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { isTyping } from './typing.ts'
import { ENTRIES } from './navigation.ts'
import { t } from '../translation/translate.ts'

const SECOND_KEY_MS = 1_000

/** `G` and a letter opens a page; `?` shows all shortcuts. */
export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const { permissions } = useSession()
  useEffect(() => {
    let askedAt = -Infinity
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === '?') open()
      const entry = ENTRIES.find(({ key, permission }) => key === event.key && permissions.includes(permission))
      if (entry && event.timeStamp - askedAt < SECOND_KEY_MS) void navigate({ href: entry.to })
      askedAt = event.key === 'g' ? event.timeStamp : -Infinity
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate, open, permissions])
  return (
    <Modal opened={isOpen} onClose={close} title={t('Keyboard shortcuts')}>
      <Table aria-label={t('Keyboard shortcuts')}>
        <Table.Tbody>
          <Row keys={['Ctrl', 'K']} does={t('Search everything')} />
          <Row keys={['?']} does={t('Show these shortcuts')} />
          {ENTRIES.filter(({ permission }) => permissions.includes(permission)).map(({ key, label }) => (
            <Row key={key} keys={['G', key.toUpperCase()]} does={t('Go to {page}', { page: label })} />
          ))}
          <Row keys={['J']} does={t('At a desk: next')} />
          <Row keys={['K']} does={t('At a desk: previous')} />
          <Row keys={['A']} does={t('At a desk: approve, or nothing wrong')} />
          <Row keys={['R']} does={t('At a desk: reject, or remove')} />
          <Row keys={['C']} does={t('At a desk: ask for changes, or warn')} />
          <Row keys={['Z']} does={t('At a desk: take the last decision back')} />
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

function Row({ keys, does }: { keys: string[]; does: string }) {
  return (
    <Table.Tr>
      <Table.Td w={110}>
        {keys.map((key) => (
          <Kbd key={key} mr={4}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
      <Table.Td>{does}</Table.Td>
    </Table.Tr>
  )
}
