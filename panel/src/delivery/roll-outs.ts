import { api, readBody } from '../api/client.ts'

export type RollOut = Awaited<ReturnType<typeof loadRollOuts>>[number]
export type Share = RollOut['share']
export type Way = RollOut['ways'][number]

/** The shares of phones that can be chosen, in percent. */
export const SHARES: Share[] = [0, 1, 10, 50, 100]

async function loadRollOuts() {
  return (await readBody(api.GET('/api/admin/roll-outs'))).data.roll_outs
}

export function changeShare(provider: string, share: Share) {
  return readBody(api.POST('/api/admin/roll-outs', { body: { provider, share } }))
}

/** The way of the provider itself, then that of the other address. */
export function splitWays({ ways }: RollOut): [direct: Way, other: Way] {
  return ways as [Way, Way]
}

export const rollOutsQuery = { queryKey: ['roll-outs'], queryFn: loadRollOuts, refetchInterval: 30_000 }
