import type { PushDeps } from '../../push/deps.ts'
import { waitingApprovals } from '../../identity/approvals/approvals.ts'
import { can, type Permission } from '../../platform/rights/permissions.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { pushTroubles } from '../../push/status/push-status.ts'
import { listDisputes } from '../cases/disputes.ts'
import { undecidedProducts, undecidedUserReports } from '../cases/decide-reports.ts'
import { listQueue } from '../cases/verification.ts'

export const KINDS = [
  'verification',
  'product_reports',
  'user_reports',
  'disputes',
  'approvals',
  'halts',
  'alerts',
] as const

type Kind = (typeof KINDS)[number]
/** `oldest` undefined: nothing waits. */
export type Waiting = { kind: Kind; count: number; oldest: Date | undefined }

const ONE = { perPage: 1, offset: 0 }

/** Each number is the total of the list or the desk on which the work is done. */
const WORK: Record<Kind, { permission: Permission; find: (deps: PushDeps) => Promise<Omit<Waiting, 'kind'>> }> = {
  verification: {
    permission: 'verification',
    find: async (deps) => {
      const { rows, total } = await listQueue(deps, {}, { ...ONE, by: 'submitted_at', direction: 'asc' })
      return { count: total.total, oldest: rows[0]?.product.submitted_at }
    },
  },
  product_reports: { permission: 'product-reports', find: (deps) => undecidedProducts(deps) },
  user_reports: { permission: 'user-reports', find: (deps) => undecidedUserReports(deps) },
  disputes: {
    permission: 'swaps',
    find: async (deps) => {
      const { rows, total } = await listDisputes(deps, ONE)
      return { count: total, oldest: rows[0]?.dispute.opened_at }
    },
  },
  approvals: { permission: 'approvals', find: ({ db, clock }) => waitingApprovals(db, fromNow(clock)) },
  halts: { permission: 'campaigns', find: async ({ db }) => (await pushTroubles(db)).halts },
  alerts: { permission: 'campaigns', find: async ({ db }) => (await pushTroubles(db)).alerts },
}

export async function listWaiting(deps: PushDeps, role: Role): Promise<Waiting[]> {
  const kinds = KINDS.filter((kind) => can(role, WORK[kind].permission))
  return Promise.all(kinds.map(async (kind) => ({ kind, ...(await WORK[kind].find(deps)) })))
}
