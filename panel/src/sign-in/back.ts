/** Where one was before signing in. Only an address of the panel itself is gone back to. */
export function backOf(search: string): string {
  const back = new URLSearchParams(search).get('back')
  return back !== null && /^\/(?![/\\])/.test(back) ? back : '/'
}
