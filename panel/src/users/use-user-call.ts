import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showThatItWaits } from '../approvals/waits.ts'
import { toRefusal, type Refusal } from '../api/refusal.ts'
import { tellDone, tellRefusal } from '../common/tell.ts'
import { t } from '../translation/translate.ts'
import type { Profile } from './user.tsx'

/** A call that changes the account: its page shows the result. `refused` takes what would be shown as text. */
export function useUserCall<Input>(
  { id, ...before }: Profile,
  call: (input: Input) => Promise<{ data: object }>,
  refused?: (refusal: Refusal) => void,
) {
  const queries = useQueryClient()
  const reload = (queryKey: unknown[]) => queries.invalidateQueries({ queryKey })
  return useMutation({
    mutationFn: call,
    onSuccess: async ({ data }) => {
      await Promise.all([reload(['user', id]), reload(['users'])])
      if ('approval' in data) showThatItWaits()
      else tellDone(t('{name} was changed.', { name: 'name' in data ? String(data.name) : before.name }))
    },
    onError: async (thrown) => {
      if (refused !== undefined) return refused(toRefusal(thrown))
      if (toRefusal(thrown).status === 412) await reload(['user', id])
      tellRefusal(thrown, { title: t('Nothing was changed') })
    },
  })
}
