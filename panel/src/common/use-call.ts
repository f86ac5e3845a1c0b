import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tellDone, tellRefusal } from './tell.ts'

type CallOptions<Output> = {
  /** The sentence that a person sees when the call has succeeded. */
  done?: string | ((output: Output) => string)
  /** Called before anything is reloaded: afterwards the caller may be gone. */
  onDone?: (output: Output) => void
  /** First words of the keys of the queries to reload afterwards. */
  refresh?: string[]
  /** True where the page shows the refusal itself. */
  isShown?: boolean
}

/** A call that changes something: reloads the changed data and shows a message. */
export function useCall<Input = void, Output = unknown>(
  call: (input: Input) => Promise<Output>,
  { done, onDone, refresh = [], isShown = false }: CallOptions<Output>,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: (output) => {
      if (done !== undefined) tellDone(typeof done === 'string' ? done : done(output))
      onDone?.(output)
    },
    onError: (thrown) => {
      if (!isShown) tellRefusal(thrown)
    },
    // What was refused may be shown as it was long ago.
    onSettled: () => Promise.all(refresh.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  })
}
