import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { toRefusal } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'
import { Loaded } from './loaded.tsx'
import { Failure } from './states.tsx'

/** A page that shows one record: the number of the address, by what `load` gives. `name`: the first word of its query's
 * key. */
export function recordPage<Data>(
  name: string,
  load: (id: number) => Promise<Data>,
  Known: ComponentType<{ data: Data }>,
) {
  return function PageOfRecord() {
    const id = Number(useParams({ strict: false }).id)
    const record = useQuery({ queryKey: [name, id], queryFn: () => load(id) })
    const { history } = useRouter()
    if (record.data === undefined && toRefusal(record.error).status === 404)
      return (
        <Stack align="flex-start">
          <Failure thrown={record.error} />
          <Button variant="default" onClick={() => history.back()}>
            {t('Back')}
          </Button>
        </Stack>
      )
    return (
      <Loaded of={record} pending={300}>
        {(data) => <Known data={data} />}
      </Loaded>
    )
  }
}
