import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { readableColours, theme } from '../theme.ts'
import { readBackPath } from './back.ts'
import { SignInPage } from './sign-in.tsx'

const ForgotPassword = lazy(() =>
  import('../recovery/forgot-password.tsx').then((page) => ({ default: page.ForgotPasswordPage })),
)
const ResetPassword = lazy(() =>
  import('../recovery/reset-password.tsx').then((page) => ({ default: page.ResetPasswordPage })),
)
const ConfirmEmail = lazy(() =>
  import('../recovery/confirm-email.tsx').then((page) => ({ default: page.ConfirmEmailPage })),
)

/** The pages for people who are not signed in: to sign in, and where the links of mails lead. */
const ENTRIES: Record<string, ReactNode> = {
  // The panel is then reloaded at the previous address.
  '/sign-in': <SignInPage signedIn={() => location.replace(readBackPath(location.search))} />,
  '/forgot-password': <ForgotPassword />,
  '/reset-password': <ResetPassword />,
  '/confirm-email': <ConfirmEmail />,
}

/** Draws the page of an address for people who are not signed in. */
export function drawEntry(element: HTMLElement, path: string): void {
  const queries = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  createRoot(element).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={readableColours} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Suspense fallback={null}>{ENTRIES[path]}</Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
