import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { Modal } from '../common/modal.tsx'
import type { Selection } from '../common/selection.tsx'
import { plural, t } from '../translation/translate.ts'
import { BulkForm, type Action } from './bulk-form.tsx'

const LABELS: Record<Action, string> = {
  suspend: t('Suspend…'),
  activate: t('Make active…'),
  delete: t('Delete…'),
  restore: t('Restore…'),
}

const TITLES: Record<Action, (count: number) => string> = {
  suspend: (count) => plural(count, 'Suspend one account', 'Suspend {count} accounts'),
  activate: (count) => plural(count, 'Make one account active', 'Make {count} accounts active'),
  delete: (count) => plural(count, 'Delete one account', 'Delete {count} accounts'),
  restore: (count) => plural(count, 'Restore one account', 'Restore {count} accounts'),
}

/** Actions for the selected accounts. Nothing happens before the next page has shown which will change. */
export function BulkActions({ selection }: { selection: Selection }) {
  const [action, setAction] = useState<Action>()
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm">{t('Change them')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(LABELS) as Action[]).map((name) => (
            <Menu.Item key={name} onClick={() => setAction(name)} {...(name === 'delete' && { color: 'red' })}>
              {LABELS[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={action !== undefined}
        onClose={() => setAction(undefined)}
        title={action && TITLES[action](selection.count)}
      >
        {action && <BulkForm action={action} selection={selection} />}
      </Modal>
    </>
  )
}
