import { Button, Menu, Modal, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { Form } from '../common/form.tsx'
import type { ListSearch } from '../common/list-search.ts'
import type { Selection } from '../common/selection.tsx'
import { SuspensionReason } from './suspension-reason.tsx'
import { plural, t } from '../translation/translate.ts'

type Action = 'suspend' | 'activate' | 'delete' | 'restore'

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
        {action && <PrepareForm action={action} selection={selection} />}
      </Modal>
    </>
  )
}

function PrepareForm({ action, selection }: { action: Action; selection: Selection }) {
  const [reason, setReason] = useState('')
  const navigate = useNavigate()
  const prepare = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/admin/v1/users-bulk', {
          body: {
            action,
            ...(reason.trim() !== '' && { reason: reason.trim() }),
            ...('ids' in selection ? { ids: selection.ids } : { filter: filterOf(selection.filter) }),
          },
        }),
      ),
    onSuccess: ({ data }) => navigate({ to: '/users/bulk/$id', params: { id: String(data.id) }, search: {} }),
  })
  return (
    <Form call={prepare} submit={() => prepare.mutate()} label={t('Show whom')}>
      <Text size="sm">
        {t(
          'The next page shows which accounts will change, and which not and why. Nothing is changed until you start it there.',
        )}
      </Text>
      {action === 'suspend' && <SuspensionReason reason={reason} setReason={setReason} />}
    </Form>
  )
}

/** The filters in the address of the list, as the API takes them in a body. */
function filterOf({ status, role, ...filter }: ListSearch) {
  return { ...filter, ...(status && { status: wordsOf(status) }), ...(role && { role: wordsOf(role) }) } as never
}

function wordsOf(value: string | number | boolean): string[] {
  return String(value).split(',')
}
