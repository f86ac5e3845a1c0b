import { queryOptions } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'

/** The passkeys of one's own account, and whether they work at this address. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await readBody(api.GET('/api/v1/account/passkeys'))).data,
})

/** Codes of an app, and how many recovery codes are left. */
export const factorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: async () => (await readBody(api.GET('/api/v1/account/second-factor'))).data,
})

/** A change of the second factor changes its state and the rights of the session: these are read again. */
export const FACTOR_REFRESH = [passkeysQuery, factorQuery, sessionQuery].flatMap(({ queryKey }) => [...queryKey])

export type Passkey = Awaited<ReturnType<NonNullable<typeof passkeysQuery.queryFn>>>['passkeys'][number]
