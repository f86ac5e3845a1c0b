import { useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasTyped, mayBeLost } from '../common/typed.ts'

/** Asks before a page with typed text is left: by the menu, back, a reload, or the end of the panel. */
export function useAskBeforeLeaving(): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !mayBeLost(),
    enableBeforeUnload: () => hasTyped(),
  })
}

/** Says the heading of each page that is come to, and puts the focus on it unless a field of the page has it. */
export function PageNews() {
  const router = useRouter()
  const [message, setMessage] = useState('')
  useEffect(() => {
    const page = document.querySelector('#page')!
    const tell = () => {
      const heading = page.querySelector('h1')
      if (heading === null) return
      arrival.disconnect()
      setMessage(heading.textContent)
      if (page.contains(document.activeElement)) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    // A page that loads its record has its heading later.
    const arrival = new MutationObserver(tell)
    const leave = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      arrival.disconnect()
      if (fromLocation === undefined || !pathChanged) return
      arrival.observe(page, { childList: true, subtree: true })
      tell()
    })
    return () => {
      leave()
      arrival.disconnect()
    }
  }, [router])
  return (
    <div className="visually-hidden" role="status">
      {message}
    </div>
  )
}
