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
      focusAgain(opener)
    }
  }, [])
  return (
    <Dialog {...props} onClose={() => mayBeLost(content.current) && onClose()}>
      <div ref={begin}>{children}</div>
    </Dialog>
  )
}

/** What opened a dialog has the focus after it; the heading has it where that is gone, as an entry of a menu is. */
function focusAgain(opener: Element | null): void {
  if (document.activeElement?.closest('#page') != null) return
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
  const target = isThere ? opener : document.querySelector<HTMLElement>('#page h1')
  if (!isThere) target?.setAttribute('tabindex', '-1')
  target?.focus({ preventScroll: true })
}
