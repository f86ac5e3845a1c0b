import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { toRefusal, type Refusal } from './api/refusal.ts'
import { createPanelRouter } from './router.ts'
import { waitingQuery } from './home/waiting.ts'
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

function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: () => void queries.invalidateQueries({ queryKey: waitingQuery.queryKey }),
    }),
    defaultOptions: {
      // A call fails instead of waiting in a browser that believes to be offline.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: (failures, thrown) => failures < 2 && isPassing(toRefusal(thrown)),
        retryDelay: (failures, thrown) => (toRefusal(thrown).retryAfter ?? 2 ** failures) * 1_000,
      },
    },
  })
  return queries
}

/** True for a refusal that may be over in a second. */
function isPassing({ code, status }: Refusal): boolean {
  return code === 'UNREACHABLE' || status === 429 || status === 503
}
