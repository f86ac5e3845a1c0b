import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { root } from './frame.ts'
import { pages } from './pages.ts'
import { PageFault, PageLoading } from './shell/faults.tsx'
import type { Entry } from './shell/navigation.ts'

export function createPanelRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([pages]),
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: PageFault,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    // A page begins anew for another record, or its dialogs would act on that one.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }

  interface StaticDataRouteOption {
    menu?: Entry
  }
}
