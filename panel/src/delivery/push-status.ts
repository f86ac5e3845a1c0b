import { api, bodyOf } from '../api/client.ts'

export type Status = Awaited<ReturnType<typeof loadStatus>>

async function loadStatus() {
  return (await bodyOf(api.GET('/api/admin/push-status'))).data
}

export const pushStatusQuery = { queryKey: ['push-status'], queryFn: loadStatus, refetchInterval: 5_000 }
