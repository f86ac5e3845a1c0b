import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from '../api/client.ts'

/** All roles, with what each may do and whether whoever is signed in may give it. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await bodyOf(api.GET('/api/admin/v1/roles'))).data,
  staleTime: 60_000,
})
