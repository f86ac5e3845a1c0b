import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type PageLinkProps = { to: string; children: ReactNode }

/**
 * A link to a page of the panel, for lists: the router's own compares itself with the address at every change of it,
 * which with some hundred of them on a page takes longer than to draw the list.
 */
export function PageLink({ to, children }: PageLinkProps) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ href: to })
  }
  const preload = () => void router.preloadRoute({ to: to.split('?')[0] as '/' }).catch(() => undefined)
  return (
    <a href={to} className="row-link" onClick={open} onPointerEnter={preload} onFocus={preload}>
      {children}
    </a>
  )
}
