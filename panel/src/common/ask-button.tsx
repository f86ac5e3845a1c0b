import type { ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { ConfirmForm } from './confirm.tsx'
import { DialogButton } from './dialog-button.tsx'
import { useCall } from './use-call.ts'

type Question = Pick<ComponentProps<typeof ConfirmForm>, 'label' | 'color' | 'word' | 'children'> & {
  call: () => Promise<unknown>
  /** Told when the call has succeeded. */
  done: string
  /** First words of the keys of the queries to reload afterwards. */
  refresh: string[]
}

type AskButtonProps = Question & {
  /** The text of the button that opens the question. */
  opens: string
  /** Its accessible name, where several buttons show the same text. */
  name?: string
  title: string
  button?: ButtonProps & { disabled?: boolean }
}

export function AskButton({ opens, name, title, button, ...question }: AskButtonProps) {
  return (
    <DialogButton size="compact-sm" {...button} opens={opens} heading={title} aria-label={name}>
      {(close) => <QuestionForm {...question} close={close} />}
    </DialogButton>
  )
}

function QuestionForm({ call, done, refresh, close, ...form }: Question & { close: () => void }) {
  const made = useCall(call, { done, refresh, isShown: true })
  return <ConfirmForm {...form} call={made} confirm={() => made.mutate(undefined, { onSuccess: close })} />
}
