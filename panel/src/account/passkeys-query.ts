import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, bodyOf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'

/** The passkeys of one's own account, and whether they work at this address. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await bodyOf(api.GET('/api/v1/account/passkeys'))).data,
})

/** Codes of an app, and how many recovery codes are left. */
export const factorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: async () => (await bodyOf(api.GET('/api/v1/account/second-factor'))).data,
})

/** Reads anew what follows from a change of the second factor: its state, and the rights of the session. */
export function useFactorRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    for (const { queryKey } of [passkeysQuery, factorQuery, sessionQuery]) await queries.invalidateQueries({ queryKey })
  }
}

export type Passkey = Awaited<ReturnType<NonNullable<typeof passkeysQuery.queryFn>>>['passkeys'][number]
