import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import type { Content } from './draft.tsx'

export type Preview = Awaited<ReturnType<typeof askPreview>>

async function askPreview(content: Content) {
  return (await readBody(api.POST('/api/admin/send-notification-all/preview', { body: content }))).data
}

/** What the send would do, asked while one writes, and the faults that the API finds in it. */
export function usePreview(content: Content, isComplete: boolean) {
  // It is a text, because a new object at each drawing would begin the pause again.
  const [settled] = useDebouncedValue(isComplete ? JSON.stringify(content) : '', 400)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['preview', settled],
    queryFn: () => askPreview(JSON.parse(settled) as Content),
    enabled: isComplete && settled !== '',
    retry: false,
    placeholderData: (before) => before,
  })
  const faults = error === null ? {} : toRefusal(error).fields
  const failure = Object.keys(faults).length === 0 ? error : null
  return { preview: error === null ? data : undefined, faults, failure, retry: refetch, isChecking: isFetching }
}
