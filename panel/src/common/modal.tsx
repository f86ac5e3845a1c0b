import { Modal as Dialog, type ModalProps } from '@mantine/core'
import { useCallback, useRef } from 'react'
import { mayBeLost } from './typed.ts'

const FIELDS = 'input:not([type="hidden"], :disabled), textarea:not(:disabled), select:not(:disabled)'

/** A dialog that begins in its first field, and asks before text that was typed into it is lost. */
export function Modal({ onClose, children, ...props }: ModalProps) {
  const content = useRef<HTMLDivElement>(null)
  const begin = useCallback((visible: HTMLDivElement) => {
    content.current = visible
    const opener = document.activeElement
    // The library puts the focus here.
    if (visible.querySelector('[data-autofocus]') === null)
      visible.querySelector(FIELDS)?.setAttribute('data-autofocus', '')
    return () => {
      content.current = null
      if (opener === document.body || opener?.isConnected === false) focusHeading()
    }
  }, [])
  return (
    <Dialog {...props} onClose={() => mayBeLost(content.current) && onClose()}>
      <div ref={begin}>{children}</div>
    </Dialog>
  )
}

/** Where the button that opened a dialog is gone, as an entry of a menu is, the focus would be lost with it. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('#page h1')
  if (heading === null || document.activeElement?.closest('#page') != null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
