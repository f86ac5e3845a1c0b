import { Group, Stack, Text } from '@mantine/core'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { AskButton } from '../common/ask-button.tsx'
import { Moment } from '../common/moment.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { plural, rich, t } from '../translation/translate.ts'
import type { Profile } from './user.tsx'

const REFRESHED = ['user']

/** What support can say and do when somebody cannot sign in. */
export function SignInHelp({ user }: { user: Profile }) {
  const mayHelp = useMay('users') && user.deleted_at === null
  const failures = user.failed_sign_ins
  return (
    <TitledCard title={t('Sign-in')}>
      <Text size="sm">
        {failures === null
          ? t('Failed sign-ins are not counted here.')
          : t('Failed sign-ins since midnight (UTC): {count}', { count: failures })}
      </Text>
      {mayHelp && (
        <Group gap="xs">
          <MailButton
            user={user}
            kind="new_password"
            opens={t('Mail for a new password…')}
            title={t('Send a mail for a new password')}
          />
          {!user.email_verified && (
            <MailButton
              user={user}
              kind="confirm_address"
              opens={t('Mail to confirm the address…')}
              title={t('Send a mail to confirm the address')}
            />
          )}
        </Group>
      )}
    </TitledCard>
  )
}

type MailButtonProps = { user: Profile; kind: 'new_password' | 'confirm_address'; opens: string; title: string }

function MailButton({ user: { id, email }, kind, opens, title }: MailButtonProps) {
  return (
    <AskButton
      opens={opens}
      title={title}
      label={t('Send the mail')}
      color="cyan"
      done={t('A mail to {address} is on its way.', { address: email })}
      refresh={REFRESHED}
      call={() => readBody(api.POST('/api/admin/v1/user/{id}/mails', { params: { path: { id } }, body: { kind } }))}
    >
      {t('It goes to {address}. Nobody else sees its link.', { address: email })}
    </AskButton>
  )
}

export function UserSessions({ user }: { user: Profile }) {
  const { id, name, sessions } = user
  const mayEnd = useMay('users') && user.deleted_at === null
  return (
    <TitledCard title={t('Sessions')}>
      {sessions.length === 0 && <Text size="sm">{t('Nobody is signed in to this account.')}</Text>}
      {sessions.map((session) => (
        <SessionRow key={session.id} userId={id} session={session} mayEnd={mayEnd} />
      ))}
      {mayEnd && sessions.length > 0 && (
        <Group>
          <AskButton
            opens={t('End all…')}
            title={t('End all sessions of {name}', { name })}
            label={t('End all sessions')}
            done={t('All sessions have ended.')}
            refresh={REFRESHED}
            call={() => readBody(api.DELETE('/api/admin/v1/user/{id}/sessions', { params: { path: { id } } }))}
          >
            {plural(
              sessions.length,
              'One phone or browser is signed out. No push reaches it until somebody signs in there again.',
              '{count} phones or browsers are signed out. No push reaches them until somebody signs in there again.',
            )}
          </AskButton>
        </Group>
      )}
    </TitledCard>
  )
}

type SessionRowProps = { userId: number; session: Profile['sessions'][number]; mayEnd: boolean }

function SessionRow({ userId, session, mayEnd }: SessionRowProps) {
  const { id, network, created_at: since, last_seen_at: seen } = session
  const device = session.device ?? t('An unknown device')
  return (
    <Group justify="space-between" wrap="nowrap">
      <Stack gap={0} miw={0}>
        <Text size="sm">{device}</Text>
        <Text size="xs" c="dimmed">
          {network ?? t('An unknown network')} ·{' '}
          {rich('last used {used}, since {since}', {
            used: <Moment key="used" at={seen} />,
            since: <Moment key="since" at={since} />,
          })}
        </Text>
      </Stack>
      {mayEnd && (
        <AskButton
          opens={t('End…')}
          name={t('End the session of {device}…', { device })}
          button={{ style: { flexShrink: 0 } }}
          title={t('End the session of {device}', { device })}
          label={t('End the session')}
          done={t('Signed out there.')}
          refresh={REFRESHED}
          call={() =>
            readBody(
              api.DELETE('/api/admin/v1/user/{id}/sessions/{session_id}', {
                params: { path: { id: userId, session_id: id } },
              }),
            )
          }
        >
          {t('No push reaches this phone or browser until somebody signs in there again.')}
        </AskButton>
      )}
    </Group>
  )
}
