import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { toRefusal } from './api/client.ts'
import { leaveForSignIn } from './api/session.ts'
import { createPanelRouter } from './router.tsx'
import { readableColours, theme } from './theme.ts'

/** Draws the panel for somebody who is signed in. */
export function drawPanel(element: HTMLElement): void {
  const queries = createQueries()
  const router = createPanelRouter(queries)
  createRoot(element).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={readableColours} defaultColorScheme="auto">
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

/** When any call finds that the session has ended, the panel shows the sign-in page, and returns afterwards. */
function leaveWhenSignedOut(thrown: unknown): void {
  if (toRefusal(thrown).status === 401) void leaveForSignIn()
}

function createQueries(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      // In a browser that believes to be offline, a call fails instead of waiting.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: (failures, thrown) => failures < 2 && [0, 429, 503].includes(toRefusal(thrown).status),
        retryDelay: (failures, thrown) => (toRefusal(thrown).retryAfter ?? 2 ** failures) * 1_000,
      },
    },
  })
}
