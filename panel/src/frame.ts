import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  isRedirect,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { toRefusal } from './api/refusal.ts'
import { leaveForSignIn, sessionQuery } from './api/session.ts'
import { NotFound } from './shell/faults.tsx'

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
})

/** The frame around every page, for those who are signed in. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    try {
      const { user } = await context.queries.ensureQueryData(sessionQuery)
      // A required second factor comes before everything else.
      if (user.lacks_second_factor && location.pathname !== '/account') throw redirect({ to: '/account' })
    } catch (thrown) {
      if (isRedirect(thrown) || toRefusal(thrown).status !== 401) throw thrown
      await leaveForSignIn()
    }
  },
  // Nothing is shown in the place of the frame before it is there.
  pendingMs: Infinity,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})
