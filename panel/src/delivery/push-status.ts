import { api, readBody } from '../api/client.ts'

export type Status = Awaited<ReturnType<typeof loadStatus>>

async function loadStatus() {
  return (await readBody(api.GET('/api/admin/push-status'))).data
}

/** Its last request failed, for no fault of a phone; sending may go on all the same. */
export function endsInFailure({ recent }: Status['providers'][number]): boolean {
  const { last_failure: failure = null, last_success_at: success = null } = recent ?? {}
  return failure !== null && (success === null || success < failure.at)
}

export const pushStatusQuery = { queryKey: ['push-status'], queryFn: loadStatus, refetchInterval: 5_000 }
