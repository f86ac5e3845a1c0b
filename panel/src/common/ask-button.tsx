import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ComponentProps } from 'react'
import { Confirm } from './confirm.tsx'
import { useCall } from './use-call.ts'

type AskButtonProps = Pick<ComponentProps<typeof Confirm>, 'title' | 'label' | 'color' | 'children'> & {
  /** The text of the button that opens the question. */
  opens: string
  /** Its accessible name, where several buttons show the same text. */
  name?: string
  call: () => Promise<unknown>
  /** Told when the call has succeeded. */
  done: string
  /** First words of the keys of the queries to reload afterwards. */
  refresh: string[]
}

/** A button that asks a question first, and then makes its call. */
export function AskButton({ opens, name, call, done, refresh, ...question }: AskButtonProps) {
  const [isAsking, asking] = useDisclosure(false)
  const made = useCall(call, { done, refresh, isShown: true })
  const open = () => {
    made.reset()
    asking.open()
  }
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={name} onClick={open}>
        {opens}
      </Button>
      <Confirm
        {...question}
        isOpen={isAsking}
        close={asking.close}
        call={made}
        confirm={() => made.mutate(undefined, { onSuccess: asking.close })}
      />
    </>
  )
}
