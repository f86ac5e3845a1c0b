import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { encodeQR } from 'qr'
import { useMemo, useState, type ReactNode } from 'react'
import { api, readBody } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { Form, PasswordField, useFields } from '../common/form.tsx'
import { Loaded } from '../common/loaded.tsx'
import { CodeInput, cleanCode } from '../sign-in/code-form.tsx'
import { tellDone } from '../common/tell.ts'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'
import { FACTOR_REFRESH, factorQuery } from './passkeys-query.ts'
import { CodesCount, RecoveryCodes } from './recovery-codes.tsx'
import { isStale, ShowFactor } from './show-factor.tsx'

const PATH = '/api/v1/account/second-factor'

/** One's own second factor: set it up, renew the recovery codes, turn it off. */
export function SecondFactor() {
  const [codes, setCodes] = useState<string[]>()
  const factor = useQuery(factorQuery)
  return (
    <TitledCard title={t('Second factor: an app')}>
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} done={() => setCodes(undefined)} />
      ) : (
        <Loaded of={factor} pending={60}>
          {({ enabled, recovery_codes_left: left }) =>
            enabled ? <Manage left={left} done={setCodes} /> : <SetUp done={setCodes} />
          }
        </Loaded>
      )}
    </TitledCard>
  )
}

function SetUp({ done }: { done: (codes: string[]) => void }) {
  const isRequired = useSession().lacks_second_factor
  const { typed, field } = useFields({ current_password: '' })
  const begin = useCall(async () => (await readBody(api.POST(PATH, { body: typed }))).data, { isShown: true })
  if (begin.data !== undefined) return <Confirm {...begin.data} done={done} />
  if (isStale(begin.error)) return <ShowFactor done={begin.reset} />
  return (
    <Form call={begin} submit={() => begin.mutate()} label={t('Set it up')} color="quiet" fields={['current_password']}>
      {isRequired && (
        <Alert color="yellow" title={t('This service requires a second factor')}>
          {t('You can do nothing else until you have set it up.')}
        </Alert>
      )}
      <Text size="sm">
        {t('With a second factor, signing in requires a code of an app on your phone after the password.')}
      </Text>
      <PasswordField label={t('Your password')} autoComplete="current-password" {...field('current_password', begin)} />
    </Form>
  )
}

function Confirm({ secret, uri, done }: { secret: string; uri: string; done: (codes: string[]) => void }) {
  return (
    <Stack>
      <Text size="sm">{t('Scan this with your app, or type the secret. Then enter the code that the app shows.')}</Text>
      <QrCode text={uri} />
      <Code block aria-label={t('Secret')}>
        {secret}
      </Code>
      <AskCode
        label={t('Confirm')}
        call={async (code) => (await readBody(api.POST(`${PATH}/confirm`, { body: { code } }))).data}
        done={({ recovery_codes: codes }) => done(codes)}
      />
    </Stack>
  )
}

function Manage({ left, done }: { left: number; done: (codes: string[]) => void }) {
  const [question, ask] = useState<'renew' | 'off'>()
  return (
    <Stack>
      <Text size="sm">
        {t('It is on.')} <CodesCount left={left} />
      </Text>
      {question === undefined && (
        <Group>
          <Button variant="default" onClick={() => ask('renew')}>
            {t('New recovery codes')}
          </Button>
          <Button variant="default" color="red" onClick={() => ask('off')}>
            {t('Turn it off')}
          </Button>
        </Group>
      )}
      {question === 'renew' && (
        <AskCode
          label={t('Get new recovery codes')}
          call={async (code) => (await readBody(api.POST(`${PATH}/recovery-codes`, { body: { code } }))).data}
          done={({ recovery_codes: codes }) => done(codes)}
        />
      )}
      {question === 'off' && (
        <AskCode
          label={t('Turn it off')}
          call={(code) => readBody(api.POST(`${PATH}/disable`, { body: { code } }))}
          done={() => tellDone(t('The codes of the app are off. Your other sessions have ended.'))}
        />
      )}
    </Stack>
  )
}

type AskCodeProps<T> = { label: string; call: (code: string) => Promise<T>; done: (answer: T) => void }

function AskCode<T>({ label, call, done }: AskCodeProps<T>): ReactNode {
  const { typed, field } = useFields({ code: '' })
  const send = useCall(() => call(cleanCode(typed.code)), { onDone: done, refresh: FACTOR_REFRESH, isShown: true })
  return (
    <Form call={send} submit={() => send.mutate()} label={label} color="quiet" fields={['code']}>
      <CodeInput {...field('code', send)} />
    </Form>
  )
}

/** The code is drawn here: the secret goes to no other service. */
function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => drawn(text), [text])
  return (
    <svg
      role="img"
      aria-label={t('QR code')}
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawn(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border: 4 })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: squares.join(''), size: rows.length }
}
