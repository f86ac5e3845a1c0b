import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { Form } from '../common/form.tsx'
import type { QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import type { Selection } from '../common/selection.tsx'
import { t } from '../translation/translate.ts'
import { SuspensionReason } from './suspension-reason.tsx'

export type Action = 'suspend' | 'activate' | 'delete' | 'restore'

/** Prepares a change of many accounts, and leads to the page that shows whom it would change. */
export function BulkForm({ action, selection }: { action: Action; selection: Selection }) {
  const [reason, setReason] = useState('')
  const navigate = useNavigate()
  const prepare = useMutation({
    mutationFn: () =>
      readBody(
        api.POST('/api/admin/v1/users-bulk', {
          body: {
            action,
            ...(reason.trim() !== '' && { reason: reason.trim() }),
            ...('ids' in selection ? { ids: selection.ids } : { filter: toFilter(selection.filter) }),
          },
        }),
      ),
    onSuccess: ({ data }) => navigate({ to: '/users/bulk/$id', params: { id: String(data.id) }, search: {} }),
  })
  return (
    <Form call={prepare} submit={() => prepare.mutate()} label={t('Show whom')}>
      <Text size="sm">
        {t(
          'The next page shows which accounts will change, and which not and why. Nothing is changed until you start it there.',
        )}
      </Text>
      {action === 'suspend' && <SuspensionReason reason={reason} setReason={setReason} />}
    </Form>
  )
}

/** The filters in the address of the list, as the API takes them in a body. */
function toFilter({ status, role, ...filter }: ListSearch): QueryOf<'/api/admin/v1/users'> {
  return { ...filter, ...(status && { status: splitWords(status) }), ...(role && { role: splitWords(role) }) }
}

function splitWords<Word extends string>(value: string | number | boolean): Word[] {
  return String(value).split(',') as Word[]
}
