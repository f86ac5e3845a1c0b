import { useEffect } from 'react'
import { isTyping } from '../shell/typing.ts'

/** Single keys that do something, while nobody types. */
export function useKeys(keys: Record<string, () => unknown>, areOn: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!areOn || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const act = keys[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}
