import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { UsersPicker, type NamedUser } from '../common/user-picker.tsx'
import { Failure } from '../common/states.tsx'
import { tellDone } from '../common/tell.ts'
import { plural, t } from '../translation/translate.ts'
import { Choice, DraftPage, useDraft, useKept } from './draft.tsx'
import { isComplete } from './languages.tsx'
import { usePreview } from './preview.ts'
import { SendButton } from './send-button.tsx'

const NAMED_MAX = 100

const NAMED: { to: 'named' | 'all'; users: NamedUser[] } = { to: 'named', users: [] }

/** Writes a system notification, which is no promotion: to people who are named, or to everyone. */
export function SystemNotificationPage() {
  const draft = useDraft('system')
  const { kept, change: address, forget } = useKept('system-to', NAMED)
  const { to, users } = kept
  const navigate = useNavigate()
  const { preview, faults, failure, retry } = usePreview(draft.content, draft.isComplete && to === 'all')
  const texts = Object.values(draft.texts)
  const isReady = draft.isComplete && (to === 'all' || (users.length > 0 && texts.every(isComplete)))
  const reach = to === 'all' ? preview?.users : users.length
  const whom = reach === undefined ? t('everyone') : plural(reach, 'one user', '{count} users')
  const addressees = to === 'all' ? { all: true as const } : { user_ids: users.map(({ id }) => id), texts: draft.texts }
  return (
    <DraftPage
      title={t('Write a system notification')}
      about={t(
        'A message of the service itself, not a promotion. Users who switched off system messages do not get it.',
      )}
      draft={draft}
      faults={faults}
      hasLanguages={to === 'named'}
    >
      <Choice
        label={t('To whom')}
        value={to}
        options={{ named: t('Named users'), all: t('Everyone') }}
        choose={(chosen) => address({ to: chosen })}
      />
      {to === 'all' && texts.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('To everyone goes one text. Those for single languages go to named users only.')}
        </Text>
      )}
      {failure !== null && <Failure thrown={failure} retry={() => void retry()} />}
      {to === 'named' && (
        <UsersPicker
          label={t('Users')}
          value={users}
          max={NAMED_MAX}
          onChange={(picked) => address({ users: picked })}
        />
      )}
      <SendButton
        isReady={isReady}
        title={t('Send this notification?')}
        about={t('“{title}” is sent to {whom} at once.', { title: draft.content.title, whom })}
        whom={whom}
        needsApproval={to === 'all' && preview?.needs_approval === true}
        body={{ ...draft.content, ...addressees }}
        send={(call) => api.POST('/api/admin/send-system-notification', call)}
        forget={() => {
          draft.forget()
          forget()
        }}
        sent={() => {
          tellDone(t('The notification is on its way.'))
          void navigate({ to: '/notifications', search: {} })
        }}
      />
    </DraftPage>
  )
}
