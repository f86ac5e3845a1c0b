import { Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { t } from '../translation/translate.ts'
import { Form, TextField } from './form.tsx'

type ConfirmProps = {
  /** What happens. */
  children: ReactNode
  /** What must be typed, where it cannot be undone. */
  word?: string | undefined
  label: string
  /** `cyan` where nothing is lost. */
  color?: 'red' | 'cyan'
  call: { isPending: boolean; error: unknown }
  confirm: () => void
}

/** Asks before something is done; for what cannot be undone, a word has to be typed. */
export function ConfirmForm({ children, word, label, color = 'red', call, confirm }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  return (
    <Form call={call} submit={confirm} label={label} color={color} isReady={word === undefined || typed === word}>
      <Text size="sm" component="div">
        {children}
      </Text>
      {word !== undefined && (
        <TextField label={t('Type {word} to confirm', { word })} value={typed} onType={setTyped} data-autofocus />
      )}
    </Form>
  )
}
