import { Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Modal } from './modal.tsx'
import { t } from '../translation/translate.ts'
import { Form, TextField } from './form.tsx'

type ConfirmProps = {
  isOpen: boolean
  close: () => void
  title: string
  /** What happens. */
  children: ReactNode
  /** What must be typed, where it cannot be undone. */
  word?: string
  label: string
  /** `cyan` where nothing is lost. */
  color?: 'red' | 'cyan'
  call: { isPending: boolean; error: unknown }
  confirm: () => void
}

/** Asks before something is done; for what cannot be undone, a word has to be typed. */
export function Confirm({ isOpen, close, title, ...rest }: ConfirmProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      {isOpen && <ConfirmForm {...rest} />}
    </Modal>
  )
}

function ConfirmForm({
  children,
  word,
  label,
  color = 'red',
  call,
  confirm,
}: Omit<ConfirmProps, 'isOpen' | 'close' | 'title'>) {
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
