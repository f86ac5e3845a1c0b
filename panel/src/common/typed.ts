import { useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { t } from '../translation/translate.ts'

export type Call = { isPending: boolean; error: unknown }

export const NO_CALL: Call = { isPending: false, error: null }

/**
 * What every form does: it submits once, also by Ctrl-Enter, and is marked while it holds typed text that is not saved.
 */
export function useFormProps(submit: () => void, { isPending, error }: Call = NO_CALL) {
  const [typed, setTyped] = useState<'nothing' | 'unsent' | 'sent'>('nothing')
  return {
    'data-typed': typed === 'unsent' || (typed === 'sent' && error !== null) ? true : undefined,
    onInput: () => setTyped('unsent'),
    onKeyDown: ({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLFormElement>) => {
      if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit()
    },
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (isPending) return
      setTyped((before) => (before === 'nothing' ? before : 'sent'))
      submit()
    },
  }
}

export function hasTyped(within: ParentNode | null = document): boolean {
  return within?.querySelector('form[data-typed]') != null
}

/** Asks before typed text is lost. */
export function mayBeLost(within?: ParentNode | null): boolean {
  return !hasTyped(within) || confirm(t('What you have typed is not saved. Leave it?'))
}
