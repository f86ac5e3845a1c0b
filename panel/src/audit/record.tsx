import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { toDateField } from '../common/days.ts'
import { inWords, Tag } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { changed, type ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { rich, t } from '../translation/translate.ts'
import { writeValue } from './values.ts'

async function loadRecord(entity: string, id: number, at: string) {
  const query = { entity, entity_id: id, at }
  return (await readBody(api.GET('/api/admin/v1/audit-log/record', { params: { query } }))).data
}

type Field = Awaited<ReturnType<typeof loadRecord>>['fields'][number]

/** A record from the audit log: at a past time, beside its present state. */
export function RecordPage() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (change: ListSearch) => void navigate({ to: '.', search: changed(search, change) })
  const entity = String(search['entity'] ?? '')
  const id = Number(search['entity_id'] ?? 0)
  const moment = new Date(String(search['at'] ?? ''))
  const at = Number.isNaN(moment.getTime()) ? new Date(new Date().setHours(0, 0, 0, 0)) : moment
  const record = useQuery({
    queryKey: ['record', entity, id, at.getTime()],
    queryFn: () => loadRecord(entity, id, at.toISOString()),
  })
  return (
    <Stack>
      <PageHeader
        title={t('{kind} no. {id}', { kind: inWords(entity), id: String(id) })}
        about={t(
          'The record as it was and as it is now, as far as the audit log knows. It does not contain changes that users make themselves.',
        )}
      />
      <Group align="flex-end">
        <TextInput
          type="datetime-local"
          label={t('As of')}
          value={toDateField(at)}
          onChange={({ currentTarget: { value } }) => value !== '' && show({ at: new Date(value).toISOString() })}
        />
        {record.data !== undefined && (
          <Text size="sm" c="dimmed">
            {rich('Changed first {first}, last {last}', {
              first: <Moment key="first" at={record.data.first_at} />,
              last: <Moment key="last" at={record.data.last_at} />,
            })}
          </Text>
        )}
      </Group>
      <Loaded
        of={record}
        pending={<Fields />}
        isEmpty={({ fields }) => fields.length === 0}
        empty={<Empty title={t('Nothing is known')}>{t('The entries do not name any field.')}</Empty>}
      >
        {({ fields }) => <Fields fields={fields} />}
      </Loaded>
    </Stack>
  )
}

/** `fields` undefined: they are loading. */
function Fields({ fields }: { fields?: Field[] }) {
  return (
    <Rows
      title={t('The record over time')}
      minWidth={560}
      rowKey={({ name }) => name}
      rows={fields}
      columns={[
        {
          header: t('Field'),
          isHead: true,
          cell: ({ name, is_changed: isChanged }) => (isChanged ? <strong>{inWords(name)}</strong> : inWords(name)),
        },
        { header: t('As it was'), cell: ({ name, was }) => <div className="wrap">{writeValue(name, was)}</div> },
        {
          header: t('As it is'),
          cell: ({ name, is, is_changed: isChanged }) => (
            <div className="wrap">
              {isChanged ? <Tag color="yellow">{writeValue(name, is)}</Tag> : writeValue(name, is)}
            </div>
          ),
        },
      ]}
    />
  )
}
