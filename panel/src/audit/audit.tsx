import { Code, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { DateRange } from '../common/date-range.tsx'
import { inWords, toOptions } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { NarrowedTo } from '../common/narrowed-to.tsx'
import { PageLink } from '../common/page-link.tsx'
import { plural, t } from '../translation/translate.ts'
import { writeValue } from './values.ts'

const FIELDS_SHOWN = 4

export const AuditPage = listPage('/api/admin/v1/audit-log', {
  queryKey: 'audit',
  columns: [
    { sort: 'at', header: t('When'), cell: ({ at }) => <Moment at={at} /> },
    {
      header: t('Who'),
      cell: ({ actor }) =>
        actor === null ? (
          t('nobody signed in')
        ) : (
          <>
            {actor.name ?? t('no. {id}', { id: String(actor.user_id) })}
            <div className="about">{actor.role === null ? '' : inWords(actor.role)}</div>
          </>
        ),
    },
    {
      header: t('What'),
      cell: ({ action, times }) => (
        <>
          {sayAction(action)}
          {times > 1 && ` ${t('({count} times)', { count: times })}`}
        </>
      ),
    },
    {
      header: t('About'),
      cell: ({ entity, entity_id: id, at }) => {
        if (entity === null) return '–'
        if (id === null) return inWords(entity)
        // The record as it was before this entry, beside what it is now.
        const before = new Date(Date.parse(at) - 1).toISOString()
        return (
          <PageLink to={`/audit/record?${new URLSearchParams({ entity, entity_id: String(id), at: before })}`}>
            {t('{kind} no. {id}', { kind: inWords(entity), id: String(id) })}
          </PageLink>
        )
      },
    },
    { header: t('Change'), cell: ({ before, after }) => <Change before={before} after={after} /> },
    { header: t('From'), cell: ({ ip }) => ip ?? '–' },
    {
      header: t('Request'),
      cell: ({ request_id: id }) => (id === null ? '–' : <Code title={id}>{id.slice(0, 8)}</Code>),
    },
  ],
  searchLabel: t('Name, username, e-mail, phone'),
  filters: [
    {
      name: 'entity',
      label: t('About'),
      options: toOptions<string>([
        'user',
        'product',
        'swap',
        'group',
        'category',
        'plan',
        'report',
        'user_report',
        'message',
        'sending',
        'approval',
        'bulk_change',
        'export',
      ]),
    },
  ],
  tools: <Tools />,
  empty: { title: t('Nothing yet'), text: t('The log begins with the first change.') },
})

function Tools() {
  const { entity_id: about }: ListSearch = useSearch({ strict: false })
  return (
    <>
      {about !== undefined && <NarrowedTo name="entity_id" label={t('no. {id}', { id: String(about) })} />}
      <DateRange />
    </>
  )
}

/** `reported-product.decide`: it has words of its own, or each part of it is a word. */
function sayAction(action: string): string {
  const parts = action.replaceAll('-', ' ').split('.')
  const [own, whole] = [inWords(parts.join(' ')), parts.join(' ').replaceAll('_', ' ')]
  return own === whole ? parts.map(inWords).join(' ') : own
}

type Values = Record<string, unknown> | null

function Change({ before, after }: { before: unknown; after: unknown }) {
  const [was, is] = [before as Values, after as Values]
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])].filter(
    (name) => was?.[name] === undefined || was[name] !== is?.[name],
  )
  if (names.length === 0) return '–'
  const left = names.length - FIELDS_SHOWN
  return (
    <>
      {names.slice(0, FIELDS_SHOWN).map((name) => (
        <Text key={name} size="xs" lineClamp={2} maw={320} style={{ overflowWrap: 'anywhere' }}>
          {inWords(name)}: {was !== null && name in was && `${writeValue(name, was[name])} → `}
          {is !== null && name in is ? writeValue(name, is[name]) : '–'}
        </Text>
      ))}
      {left > 0 && <div className="about">{plural(left, 'one more field', '{count} more fields')}</div>}
    </>
  )
}
