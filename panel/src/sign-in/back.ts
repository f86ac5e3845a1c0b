/** The address before signing in. Only an address of the panel itself is used. */
export function readBackPath(search: string): string {
  const back = new URLSearchParams(search).get('back')
  return back !== null && /^\/(?![/\\])/.test(back) ? back : '/'
}
