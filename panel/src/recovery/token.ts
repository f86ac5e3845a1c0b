/** The token in the address of this page, after the #; empty when there is none. */
export function tokenOfAddress(): string {
  return /^#token=([\w-]{1,100})$/.exec(window.location.hash)?.[1] ?? ''
}
