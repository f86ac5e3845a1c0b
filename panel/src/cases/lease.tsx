import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, readBody } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import { useSession } from '../api/session.ts'

const RENEW_MS = 45_000

export type Desk = 'verification' | 'reports'

function loadLeases(desk: Desk) {
  return readBody(
    desk === 'verification' ? api.GET('/api/admin/v1/desk/verification') : api.GET('/api/admin/v1/desk/reports'),
  )
}

/** The products at a desk that another moderator looks at now, by id, with that moderator's name. */
export function useHeldByOthers(desk: Desk): Map<number, string> {
  const { id } = useSession()
  const { data } = useQuery({
    queryKey: ['desk', desk],
    queryFn: async () => (await loadLeases(desk)).data,
    refetchInterval: 5_000,
  })
  const others = (data ?? []).filter(({ holder }) => holder.id !== id)
  return new Map(others.map(({ product_id: productId, holder }) => [productId, holder.name]))
}

/** Takes products while they are shown or a decision about them waits, so that no other moderator decides. */
export function Leases({ desk, productIds }: { desk: Desk; productIds: (number | undefined)[] }) {
  return [...new Set(productIds)].map((id) => id !== undefined && <Lease key={id} desk={desk} productId={id} />)
}

function Lease({ desk, productId }: { desk: Desk; productId: number }) {
  const queries = useQueryClient()
  useEffect(() => {
    const params = { path: { product_id: productId } }
    const take = () =>
      readBody(api.POST(`/api/admin/v1/desk/${desk}/{product_id}`, { params, body: {} })).catch((thrown: unknown) => {
        if (toRefusal(thrown).status === 409) void queries.invalidateQueries({ queryKey: ['desk', desk] })
      })
    // The request outlives the page, so it is sent when the browser leaves the panel too.
    const leave = () =>
      void api.DELETE(`/api/admin/v1/desk/${desk}/{product_id}`, { params, keepalive: true }).catch(() => undefined)
    void take()
    const renewing = setInterval(() => void take(), RENEW_MS)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(renewing)
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [desk, productId, queries])
  return null
}
