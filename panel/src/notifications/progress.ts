import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, readBody } from '../api/client.ts'

/** Has the service tell of a running campaign; `setLive` says whether it does. Where it cannot, the page has to ask. */
export function useProgress(id: number, isRunning: boolean, setLive: (isLive: boolean) => void): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isRunning) return undefined
    let stream: EventSource | undefined
    let isEnded = false
    const end = () => {
      isEnded = true
      stream?.close()
      setLive(false)
    }
    const follow = (url: string) => {
      if (isEnded) return
      stream = new EventSource(url)
      stream.addEventListener('progress', ({ data }) => {
        setLive(true)
        queries.setQueryData(['campaign', id], JSON.parse(String(data)))
      })
      stream.addEventListener('end', end)
      stream.addEventListener('error', end)
    }
    const params = { path: { notification_id: id } }
    readBody(api.POST('/api/admin/notifications/{notification_id}/progress-link', { params, body: {} })).then(
      ({ data }) => follow(data.url),
      () => undefined,
    )
    return end
  }, [id, isRunning, queries, setLive])
}
