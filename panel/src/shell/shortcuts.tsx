import { Kbd, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Modal } from '../common/modal.tsx'
import { useAllKeys, useKeys } from './keys.tsx'
import { useMenu } from './navigation.ts'
import { t } from '../translation/translate.ts'

/** The keys of every page: the search, `G` and a letter for a page of the menu, and `?` for the list of all keys. */
export function Shortcuts({ search }: { search: () => unknown }) {
  const [isOpen, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  useKeys([
    { keys: 'mod+k', does: t('Search everything'), act: search, isAlways: true },
    { keys: '/', does: t('Search everything'), act: search },
    { keys: '?', does: t('Show these shortcuts'), act: open },
    ...useMenu().map(({ key, label, to }) => ({
      keys: `g ${key}`,
      does: t('Go to {page}', { page: label }),
      act: () => navigate({ href: to }),
    })),
  ])
  return (
    <Modal opened={isOpen} onClose={close} title={t('Keyboard shortcuts')}>
      {isOpen && <AllKeys />}
    </Modal>
  )
}

const NAMES: Record<string, string> = { mod: 'Ctrl', arrowleft: '←', arrowright: '→' }

function AllKeys() {
  return (
    <Table aria-label={t('Keyboard shortcuts')}>
      <Table.Tbody>
        {useAllKeys().map(({ keys, does }) => (
          <Table.Tr key={keys}>
            <Table.Td w={110}>
              {keys.split(/[ +]/).map((key) => (
                <Kbd key={key} mr={4}>
                  {NAMES[key] ?? key.toUpperCase()}
                </Kbd>
              ))}
            </Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
