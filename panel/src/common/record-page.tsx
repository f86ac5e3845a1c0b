import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Loaded } from './loaded.tsx'

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
    return (
      <Loaded of={record} pending={300}>
        {(data) => <Known data={data} />}
      </Loaded>
    )
  }
}
