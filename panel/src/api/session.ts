import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, readBody } from './client.ts'

/** Who is signed in; throws a refusal with the status 401 when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await readBody(api.GET('/api/admin/v1/check-token'))).data,
  staleTime: 60_000,
})

export type Session = {
  id: number
  name: string
  email: string
  role: string
  permissions: string[]
  lacks_second_factor: boolean
}

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data.user
}

/** True when the signed-in administrator has the permission. */
export function useMay(permission: string): boolean {
  return useSession().permissions.includes(permission)
}

/**
 * Loads the sign-in page, which leads back afterwards. What was shown is forgotten, and after a sign-out what was
 * written too. The promise never ends.
 */
export function leaveForSignIn({ isComingBack = true } = {}): Promise<never> {
  if (!isComingBack) sessionStorage.clear()
  const here = location.pathname + location.search
  location.assign(isComingBack && here !== '/' ? `/sign-in?${new URLSearchParams({ back: here })}` : '/sign-in')
  return new Promise(() => undefined)
}
