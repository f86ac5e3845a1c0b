import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { useSession } from '../api/session.ts'

const RENEW_MS = 45_000

/** The products of the queue that another moderator looks at now, by id, with that moderator's name. */
export function useHeldByOthers(): Map<number, string> {
  const { id } = useSession()
  const { data } = useQuery({
    queryKey: ['desk', 'verification'],
    queryFn: async () => (await bodyOf(api.GET('/api/admin/v1/desk/verification'))).data,
    refetchInterval: 5_000,
  })
  const others = (data ?? []).filter(({ holder }) => holder.id !== id)
  return new Map(others.map(({ product_id: productId, holder }) => [productId, holder.name]))
}

/**
 * Takes a product while it is shown, so that no other moderator decides about it. Of two, the second goes on to the
 * next.
 */
export function useLease(productId: number | undefined): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (productId === undefined) return undefined
    const params = { path: { product_id: productId } }
    const take = () =>
      bodyOf(api.POST('/api/admin/v1/desk/verification/{product_id}', { params, body: {} })).catch(
        (thrown: unknown) => {
          if (toRefusal(thrown).status === 409) void queries.invalidateQueries({ queryKey: ['desk', 'verification'] })
        },
      )
    // Also when the browser leaves the panel: the request outlives it.
    const leave = () =>
      void api
        .DELETE('/api/admin/v1/desk/verification/{product_id}', { params, keepalive: true })
        .catch(() => undefined)
    void take()
    const renewing = setInterval(() => void take(), RENEW_MS)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(renewing)
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [productId, queries])
}
