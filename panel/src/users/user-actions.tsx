import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { ConfirmForm } from '../common/confirm.tsx'
import { Modal } from '../common/modal.tsx'
import { SuspendForm, type Suspension } from './suspend-form.tsx'
import { useUserCall } from './use-user-call.ts'
import { EditForm } from './user-edit.tsx'
import type { Profile } from './user.tsx'
import { t } from '../translation/translate.ts'

const TITLES = {
  edit: ({ name }: Profile) => t('Edit {name}', { name }),
  suspend: ({ name }: Profile) => t('Suspend {name}', { name }),
  delete: ({ name }: Profile) => t('Delete {name}', { name }),
}

/** What an administrator can do to an account. Suspending and deleting can be undone; the dialog says how long. */
export function UserActions({ user }: { user: Profile }) {
  const [dialog, setDialog] = useState<keyof typeof TITLES>()
  const close = () => setDialog(undefined)
  const changeStatus = useUserCall(user, (body: { status: 'active' } | ({ status: 'suspended' } & Suspension)) =>
    readBody(
      api.PATCH('/api/admin/v1/user-update', {
        body: { id: user.id, ...body },
        headers: ifVersion(user.version),
      }),
    ),
  )
  const restore = useUserCall(user, () =>
    readBody(api.POST('/api/admin/v1/user/{id}/restore', { params: { path: { id: user.id } }, body: {} })),
  )
  if (user.deleted_at !== null)
    return (
      <Button onClick={() => restore.mutate()} loading={restore.isPending}>
        {t('Restore the account')}
      </Button>
    )
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} />}>
            {t('Actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>{t('Edit…')}</Menu.Item>
          {user.status === 'active' ? (
            <Menu.Item onClick={() => setDialog('suspend')}>{t('Suspend…')}</Menu.Item>
          ) : (
            <Menu.Item onClick={() => changeStatus.mutate({ status: 'active' })}>{t('Make active again')}</Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setDialog('delete')}>
            {t('Delete…')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={dialog !== undefined} onClose={close} title={dialog && TITLES[dialog](user)}>
        {dialog === 'edit' && <EditForm close={close} user={user} />}
        {dialog === 'suspend' && (
          <SuspendForm
            call={changeStatus}
            suspend={(suspension) => changeStatus.mutate({ status: 'suspended', ...suspension }, { onSuccess: close })}
          />
        )}
        {dialog === 'delete' && <DeleteForm close={close} user={user} />}
      </Modal>
    </>
  )
}

function DeleteForm({ close, user }: { close: () => void; user: Profile }) {
  const remove = useUserCall(user, () =>
    readBody(api.DELETE('/api/admin/v1/user/{id}', { params: { path: { id: user.id } } })),
  )
  return (
    <ConfirmForm
      word={user.username}
      label={t('Delete the account')}
      call={remove}
      confirm={() => remove.mutate(undefined, { onSuccess: close })}
    >
      {t(
        'No push is sent to this user from now on. The account can be restored for 30 days. Then all data of the person is deleted for ever.',
      )}
    </ConfirmForm>
  )
}
