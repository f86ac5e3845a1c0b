import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, bodyOf } from '../api/client.ts'

/** Has the service tell of a running campaign; `setTold` says whether it does. Where it cannot, the page has to ask. */
export function useProgress(id: number, isRunning: boolean, setTold: (isTold: boolean) => void): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isRunning) return undefined
    let stream: EventSource | undefined
    let isOver = false
    const end = () => {
      isOver = true
      stream?.close()
      setTold(false)
    }
    const follow = (url: string) => {
      if (isOver) return
      stream = new EventSource(url)
      stream.addEventListener('progress', ({ data }) => {
        setTold(true)
        queries.setQueryData(['campaign', id], JSON.parse(String(data)))
      })
      stream.addEventListener('end', end)
      stream.addEventListener('error', end)
    }
    const params = { path: { notification_id: id } }
    bodyOf(api.POST('/api/admin/notifications/{notification_id}/progress-link', { params, body: {} })).then(
      ({ data }) => follow(data.url),
      () => undefined,
    )
    return end
  }, [id, isRunning, queries, setTold])
}
