import { queryOptions } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { plural, t } from '../translation/translate.ts'

async function loadWaiting() {
  return (await readBody(api.GET('/api/admin/v1/waiting'))).data
}

export type Waiting = Awaited<ReturnType<typeof loadWaiting>>[number]

/** What waits for the signed-in administrator: the same numbers on the home page and in the menu. */
export const waitingQuery = queryOptions({ queryKey: ['waiting'], queryFn: loadWaiting, refetchInterval: 15_000 })

/** Where each kind of work is done, and what waits there. */
export const WORK: Record<Waiting['kind'], { to: string; label: (count: number) => string }> = {
  verification: {
    to: '/verification',
    label: (count) => plural(count, 'product waits for verification', 'products wait for verification'),
  },
  product_reports: {
    to: '/reports-desk',
    label: (count) => plural(count, 'reported product waits for a decision', 'reported products wait for a decision'),
  },
  user_reports: {
    to: '/reported-users?status=open,in_review',
    label: (count) => plural(count, 'report about a person waits', 'reports about people wait'),
  },
  disputes: { to: '/disputes', label: (count) => plural(count, 'dispute is open', 'disputes are open') },
  approvals: {
    to: '/approvals?status=waiting',
    label: (count) => plural(count, 'request waits for approval', 'requests wait for approval'),
  },
  halts: { to: '/delivery', label: () => t('sending is halted') },
  alerts: { to: '/delivery', label: (count) => plural(count, 'open alert', 'open alerts') },
}
