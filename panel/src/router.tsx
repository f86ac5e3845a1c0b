import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  isRedirect,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { toRefusal } from './api/refusal.ts'
import { leaveForSignIn, sessionQuery } from './api/session.ts'
import { listSearchOf } from './common/list-search.ts'
import { scriptOf } from './common/loaded.tsx'
import { NotFound, PageFault, PageLoading } from './shell/faults.tsx'

type Context = { queries: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

const inside = createRoute({
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

type Page = Parameters<typeof lazyRouteComponent>[0]

/** A page whose address contains its state. */
function page<const Path extends string>(path: Path, load: Page, name: string) {
  return createRoute({
    getParentRoute: () => inside,
    path,
    validateSearch: listSearchOf,
    component: lazyRouteComponent(() => scriptOf(load), name),
  })
}

/** All pages of the panel. */
const pages = inside.addChildren([
  page('/', () => import('./home/home.tsx'), 'HomePage'),
  page('/users', () => import('./users/users.tsx'), 'UsersPage'),
  page('/users/new', () => import('./users/new-user.tsx'), 'NewUserPage'),
  page('/users/bulk/$id', () => import('./users/bulk-change.tsx'), 'BulkChangePage'),
  page('/users/$id', () => import('./users/user.tsx'), 'UserPage'),
  page('/users/$id/report', () => import('./users/user-report.tsx'), 'UserReportPage'),
  page('/products', () => import('./products/products.tsx'), 'ProductsPage'),
  page('/products/$id', () => import('./products/product.tsx'), 'ProductPage'),
  page('/verification', () => import('./cases/verification.tsx'), 'VerificationPage'),
  page('/reports', () => import('./cases/reported-products.tsx'), 'ReportedProductsPage'),
  page('/reports/$productId', () => import('./cases/reported-product.tsx'), 'ReportedProductPage'),
  page('/swaps', () => import('./swaps/swaps.tsx'), 'SwapsPage'),
  page('/swaps/$id', () => import('./swaps/swap.tsx'), 'SwapPage'),
  page('/approvals', () => import('./approvals/approvals.tsx'), 'ApprovalsPage'),
  page('/disputes', () => import('./cases/disputes.tsx'), 'DisputesPage'),
  page('/subscriptions', () => import('./subscriptions/subscriptions.tsx'), 'SubscriptionsPage'),
  page('/notifications', () => import('./notifications/campaigns.tsx'), 'CampaignsPage'),
  page('/notifications/new', () => import('./notifications/compose.tsx'), 'ComposePage'),
  page('/notifications/$id', () => import('./notifications/campaign.tsx'), 'CampaignPage'),
  page('/delivery', () => import('./delivery/delivery.tsx'), 'DeliveryPage'),
  page('/insights', () => import('./insights/insights.tsx'), 'InsightsPage'),
  page('/insights/rows', () => import('./insights/rows.tsx'), 'InsightRowsPage'),
  page('/notifications/system', () => import('./notifications/system.tsx'), 'SystemNotificationPage'),
  page('/reports-desk', () => import('./cases/reports-desk.tsx'), 'ReportsDeskPage'),
  page('/reported-users', () => import('./cases/reported-users.tsx'), 'ReportedUsersPage'),
  page('/groups', () => import('./groups/groups.tsx'), 'GroupsPage'),
  page('/groups/$id', () => import('./groups/group.tsx'), 'GroupPage'),
  page('/categories', () => import('./catalogue/categories.tsx'), 'CategoriesPage'),
  page('/plans', () => import('./catalogue/plans.tsx'), 'PlansPage'),
  page('/exports', () => import('./exports/exports.tsx'), 'ExportsPage'),
  page('/administrators', () => import('./administrators/administrators.tsx'), 'AdministratorsPage'),
  page('/settings', () => import('./service/settings.tsx'), 'SettingsPage'),
  page('/audit', () => import('./audit/audit.tsx'), 'AuditPage'),
  page('/audit/record', () => import('./audit/record.tsx'), 'RecordPage'),
  page('/account', () => import('./account/account.tsx'), 'AccountPage'),
])

export function createPanelRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([pages]),
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: PageFault,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}
