import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Modal } from './modal.tsx'

type DialogButtonProps = Omit<ButtonProps, 'children'> & {
  /** The text of the button. */
  opens: string
  /** The title of the dialog. */
  heading: string
  'aria-label'?: string | undefined
  /** Keeps the focus: what a dialog changes may disable the button that opened it. */
  disabled?: boolean
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog, whose content begins anew each time. */
export function DialogButton({ opens, heading, children, disabled = false, ...button }: DialogButtonProps) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        {...button}
        data-disabled={disabled}
        aria-disabled={disabled}
        onClick={disabled ? undefined : dialog.open}
      >
        {opens}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={heading}>
        {isOpen && children(dialog.close)}
      </Modal>
    </>
  )
}
