const PANEL = 'https://panel.invalid'

/** The address before signing in. Only an address of the panel itself is used, as a browser reads it: a browser drops
 * tabs, takes a backslash for a slash, and resolves dots. */
export function readBackPath(search: string): string {
  const back = new URLSearchParams(search).get('back') ?? '/'
  if (!URL.canParse(back, PANEL)) return '/'
  const { origin, pathname, search: query, hash } = new URL(back, PANEL)
  return origin === PANEL && !pathname.startsWith('//') ? `${pathname}${query}${hash}` : '/'
}
