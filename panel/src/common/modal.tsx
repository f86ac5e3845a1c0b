import { Modal as Dialog, type ModalProps } from '@mantine/core'
import { useCallback, useRef } from 'react'
import { mayBeLost } from './typed.ts'

const FIELDS = 'input:not([type="hidden"], :disabled), textarea:not(:disabled), select:not(:disabled)'

/** A dialog that begins in its first field, and asks before text that was typed into it is lost. */
export function Modal({ onClose, children, ...props }: ModalProps) {
  const content = useRef<HTMLDivElement>(null)
  const begin = useCallback((visible: HTMLDivElement | null) => {
    content.current = visible
    // The library puts the focus here.
    if (visible?.querySelector('[data-autofocus]') === null)
      visible.querySelector(FIELDS)?.setAttribute('data-autofocus', '')
  }, [])
  return (
    <Dialog {...props} onClose={() => mayBeLost(content.current) && onClose()}>
      <div ref={begin}>{children}</div>
    </Dialog>
  )
}
