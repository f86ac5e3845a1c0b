import { queryOptions } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'

/** All roles with their permissions, and whether the signed-in administrator may give them. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await readBody(api.GET('/api/admin/v1/roles'))).data,
  staleTime: 60_000,
})

export type Role = Awaited<ReturnType<NonNullable<typeof rolesQuery.queryFn>>>[number]
