import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tellRefusal } from './tell.ts'

type CallOptions = {
  /** Told when the call has succeeded. */
  done: string
  /** First words of the keys of the queries to reload afterwards. */
  refresh: string[]
  /** True where the page shows the refusal itself. */
  isShown?: boolean
}

/** A call that changes something: reloads the changed data and shows a message. */
export function useCall<Input = void, Output = unknown>(
  call: (input: Input) => Promise<Output>,
  { done, refresh, isShown = false }: CallOptions,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: async () => {
      notifications.show({ color: 'green', message: done })
      await Promise.all(refresh.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    },
    onError: async (thrown) => {
      if (!isShown) tellRefusal(thrown)
      // What was refused may be shown as it was long ago.
      await Promise.all(refresh.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    },
  })
}
