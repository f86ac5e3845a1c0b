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
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog, whose content begins anew each time. */
export function DialogButton({ opens, heading, children, ...button }: DialogButtonProps) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Button variant="default" {...button} onClick={dialog.open}>
        {opens}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={heading}>
        {isOpen && children(dialog.close)}
      </Modal>
    </>
  )
}
