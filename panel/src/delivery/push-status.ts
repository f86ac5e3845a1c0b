import { api, readBody } from '../api/client.ts'

export type Status = Awaited<ReturnType<typeof loadStatus>>
export type Provider = Status['providers'][number]

async function loadStatus() {
  return (await readBody(api.GET('/api/admin/push-status'))).data
}

/** Its last request failed, for no fault of a phone, and sending goes on all the same. */
export function isFailing({ breaker, recent }: Provider): boolean {
  const { last_failure: failure = null, last_success_at: success = null } = recent ?? {}
  return breaker === 'closed' && failure !== null && (success === null || success < failure.at)
}

export const pushStatusQuery = { queryKey: ['push-status'], queryFn: loadStatus, refetchInterval: 5_000 }
