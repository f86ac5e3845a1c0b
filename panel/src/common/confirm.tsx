import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { t } from '../translation/translate.ts'
import { Failure } from './states.tsx'

type ConfirmProps = {
  isOpen: boolean
  close: () => void
  title: string
  /** What happens. */
  children: ReactNode
  /** What must be typed, where it cannot be undone. */
  word?: string
  label: string
  isPending: boolean
  error: unknown
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
  isPending,
  error,
  confirm,
}: Omit<ConfirmProps, 'isOpen' | 'close' | 'title'>) {
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        confirm()
      }}
    >
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && <Failure thrown={error} />}
        {word !== undefined && (
          <TextInput
            label={t('Type {word} to confirm', { word })}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
        )}
        <Button type="submit" color="red" disabled={word !== undefined && typed !== word} loading={isPending}>
          {label}
        </Button>
      </Stack>
    </form>
  )
}
