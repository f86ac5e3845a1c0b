import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { Form, PasswordField, TextField, useFields } from '../common/form.tsx'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Failure } from '../common/states.tsx'
import { knowsPasskeys, makePasskey } from '../sign-in/passkey.ts'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { rich, t } from '../translation/translate.ts'
import { FACTOR_REFRESH, factorQuery, passkeysQuery, type Passkey } from './passkeys-query.ts'
import { CodesCount, RecoveryCodes } from './recovery-codes.tsx'
import { isStale, ShowFactor } from './show-factor.tsx'

const ONE = '/api/v1/account/passkeys/{passkey_id}'
const NAME_MAX = 60
// What follows on the page stays where it is when the form has come.
const FORM_HEIGHT = 222

export function Passkeys() {
  const [codes, setCodes] = useState<string[]>()
  const known = useQuery(passkeysQuery)
  const factor = useQuery(factorQuery)
  return (
    <TitledCard title={t('Second factor: passkeys')}>
      <Text size="sm">
        {t(
          'A passkey is in your phone, your computer or a security key. It is a second factor that no false page can ask for.',
        )}
      </Text>
      <Loaded of={known} pending={FORM_HEIGHT}>
        {({ passkeys, is_available: isAvailable }) => (
          <Loaded of={factor} pending={FORM_HEIGHT}>
            {({ enabled, recovery_codes_left: left }) => (
              <>
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} />
                ))}
                {codes !== undefined ? (
                  <RecoveryCodes codes={codes} done={() => setCodes(undefined)} />
                ) : (
                  <>
                    {!enabled && passkeys.length > 0 && <CodesLeft left={left} done={setCodes} />}
                    <AddPasskey
                      isAvailable={isAvailable && knowsPasskeys()}
                      hasFactor={enabled || passkeys.length > 0}
                      done={setCodes}
                    />
                  </>
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </TitledCard>
  )
}

function AddPasskey(props: { isAvailable: boolean; hasFactor: boolean; done: (codes: string[] | undefined) => void }) {
  const { typed, field, clear } = useFields({ name: '', current_password: '' })
  const add = useCall(
    async () => {
      const { name, ...password } = typed
      const { data } = await readBody(
        api.POST('/api/v1/account/passkey-options', { body: props.hasFactor ? {} : password }),
      )
      const credential = await makePasskey(data)
      return (await readBody(api.POST('/api/v1/account/passkeys', { body: { name, credential } }))).data
    },
    {
      done: t('The passkey was added.'),
      onDone: ({ recovery_codes: codes }) => {
        clear()
        if (codes.length > 0) props.done(codes)
      },
      refresh: FACTOR_REFRESH,
      isShown: true,
    },
  )
  if (!props.isAvailable)
    return (
      <Text size="sm" c="dimmed">
        {t('Passkeys do not work at this address, or not in this browser.')}
      </Text>
    )
  if (isStale(add.error)) return <ShowFactor done={add.reset} />
  return (
    <Form call={add} submit={() => add.mutate()} label={t('Add a passkey')} color="quiet" fields={Object.keys(typed)}>
      <TextField
        label={t('Name of the passkey')}
        description={t('Such as the device that has it.')}
        required
        maxLength={NAME_MAX}
        {...field('name', add)}
      />
      {!props.hasFactor && (
        <PasswordField
          label={t('Your password, for the passkey')}
          autoComplete="current-password"
          {...field('current_password', add)}
        />
      )}
    </Form>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [question, ask] = useState<'rename' | 'remove'>()
  const { name, created_at: made, last_used_at: used } = passkey
  const close = () => ask(undefined)
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Stack gap={0}>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {used === null
              ? rich('Added {made}, never used', { made: <Moment key="made" at={made} /> })
              : rich('Added {made}, last used {used}', {
                  made: <Moment key="made" at={made} />,
                  used: <Moment key="used" at={used} />,
                })}
          </Text>
        </Stack>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => ask('rename')} aria-label={t('Rename {name}', { name })}>
            {t('Rename')}
          </Button>
          <Button size="xs" variant="default" onClick={() => ask('remove')} aria-label={t('Remove {name}', { name })}>
            {t('Remove')}
          </Button>
        </Group>
      </Group>
      {question === 'rename' && <RenamePasskey passkey={passkey} close={close} />}
      {question === 'remove' && <RemovePasskey passkey={passkey} close={close} />}
    </Stack>
  )
}

function RenamePasskey({ passkey: { id, name: before }, close }: { passkey: Passkey; close: () => void }) {
  const { typed, field } = useFields({ name: before })
  const rename = useCall(() => readBody(api.PATCH(ONE, { params: { path: { passkey_id: id } }, body: typed })), {
    refresh: FACTOR_REFRESH,
    isShown: true,
  })
  const submit = () => rename.mutate(undefined, { onSuccess: close })
  return (
    <Form call={rename} submit={submit} label={t('Rename')} color="quiet" fields={['name']}>
      <TextField label={t('New name')} required autoFocus maxLength={NAME_MAX} {...field('name', rename)} />
    </Form>
  )
}

function RemovePasskey({ passkey: { id, name }, close }: { passkey: Passkey; close: () => void }) {
  const remove = useCall(() => readBody(api.DELETE(ONE, { params: { path: { passkey_id: id } } })), {
    done: t('The passkey was removed. Your other sessions have ended.'),
    refresh: FACTOR_REFRESH,
    isShown: true,
  })
  if (isStale(remove.error)) return <ShowFactor done={remove.reset} />
  return (
    <Form call={remove} submit={() => remove.mutate()} label={t('Remove {name}', { name })} color="red">
      <Text size="sm">
        {t('It cannot sign you in any more. Without a passkey and without an app you have no second factor.')}
      </Text>
      <Button variant="subtle" onClick={close}>
        {t('Keep it')}
      </Button>
    </Form>
  )
}

function CodesLeft({ left, done }: { left: number; done: (codes: string[]) => void }) {
  const renew = useCall(
    async () =>
      (await readBody(api.POST('/api/v1/account/second-factor/recovery-codes', { body: {} }))).data.recovery_codes,
    { onDone: done, refresh: FACTOR_REFRESH, isShown: true },
  )
  if (isStale(renew.error)) return <ShowFactor done={renew.reset} />
  return (
    <Stack gap="xs">
      <Text size="sm">
        <CodesCount left={left} />
      </Text>
      {renew.error !== null && <Failure thrown={renew.error} />}
      <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
        {t('New recovery codes')}
      </Button>
    </Stack>
  )
}
