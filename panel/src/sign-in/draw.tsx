import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readableColours, theme } from '../theme.ts'
import { SignInPage } from './sign-in.tsx'

/** Draws the sign-in page. Afterwards the panel is loaded anew, at the address where one was. */
export function drawSignIn(element: HTMLElement): void {
  const queries = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  createRoot(element).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={readableColours} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <SignInPage signedIn={() => location.replace(backOf(location.search))} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

/** Where one was before: only an address of the panel itself is gone back to. */
export function backOf(search: string): string {
  const back = new URLSearchParams(search).get('back')
  return back !== null && /^\/(?![/\\])/.test(back) ? back : '/'
}
