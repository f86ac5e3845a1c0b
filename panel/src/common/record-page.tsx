import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { toRefusal } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'
import { Loaded } from './loaded.tsx'
import { Empty } from './states.tsx'

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
        <Empty
          title={toRefusal(record.error).message}
          action={
            <Button variant="default" onClick={() => history.back()}>
              {t('Back')}
            </Button>
          }
        >
          {t('It was deleted, or its number in the address is mistyped.')}
        </Empty>
      )
    return (
      <Loaded of={record} pending={300}>
        {(data) => <Known data={data} />}
      </Loaded>
    )
  }
}
