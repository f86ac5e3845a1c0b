import { Code, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { api, readBody } from '../api/client.ts'
import { Tag } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { changed, type ListSearch } from '../common/list-search.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { language } from '../translation/language.ts'
import { t } from '../translation/translate.ts'

/** Their purposes are in the language of the panel. */
async function loadSettings() {
  const [{ data }, purposes] = await Promise.all([readBody(api.GET('/api/admin/v1/service-settings')), loadPurposes()])
  return data.map((setting) => ({ ...setting, doc: purposes[setting.name] ?? setting.doc }))
}

/** The keys are the names of settings. English purposes come with the settings. */
function loadPurposes(): Promise<Readonly<Record<string, string>>> {
  return language === 'es'
    ? import('../translation/es-settings.json').then(
        (file) => file.default,
        () => ({}),
      )
    : Promise.resolve({})
}

type Setting = Awaited<ReturnType<typeof loadSettings>>[number]

/** The settings with which the service runs. They are read here and changed in its environment. */
export function SettingsPage() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (change: ListSearch) => void navigate({ to: '.', search: changed(search, change) })
  const settings = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  const words = String(search['search'] ?? '').toLowerCase()
  const matching = (all: Setting[]) =>
    all
      .filter(({ is_changed: isChanged }) => search['only'] !== 'changed' || isChanged)
      .filter(({ name, doc }) => `${name} ${doc}`.toLowerCase().includes(words))
  return (
    <Stack>
      <PageHeader
        title={t('Settings')}
        about={t(
          'The settings of the process that answers. You change them in the environment of the service; secrets are never shown.',
        )}
      />
      <Stack gap="xs" maw={420} role="search">
        <TextInput
          aria-label={t('Name or purpose')}
          placeholder={t('Name or purpose')}
          maxLength={100}
          value={String(search['search'] ?? '')}
          onChange={({ currentTarget }) => show({ search: currentTarget.value })}
        />
        <SegmentedControl
          aria-label={t('Which settings')}
          data={[
            { value: 'all', label: t('All') },
            { value: 'changed', label: t('Other than the default') },
          ]}
          value={search['only'] === 'changed' ? 'changed' : 'all'}
          onChange={(only) => show({ only: only === 'all' ? undefined : only })}
        />
      </Stack>
      <Loaded
        of={settings}
        pending={<Settings />}
        isEmpty={(all) => matching(all).length === 0}
        empty={<Empty title={t('Nothing matches')}>{t('Change the search or the filters, or show all.')}</Empty>}
      >
        {(all) => <Settings rows={matching(all)} />}
      </Loaded>
    </Stack>
  )
}

/** `rows` undefined: they are loading. */
function Settings({ rows }: { rows?: Setting[] }) {
  return <Rows title={t('Settings')} rowKey={({ name }) => name} columns={COLUMNS} rows={rows} />
}

const COLUMNS: ComponentProps<typeof Rows<Setting>>['columns'] = [
  {
    header: t('Setting'),
    cell: ({ name, doc }) => (
      <>
        <Code>{name}</Code>
        <Text size="xs" c="dimmed" maw={420}>
          {doc}
        </Text>
      </>
    ),
  },
  {
    header: t('Value'),
    cell: ({ value, is_changed: isChanged }) =>
      value === null ? (
        <Tag color="gray">{isChanged ? t('set, hidden') : t('not set')}</Tag>
      ) : (
        <div className="wrap">{isChanged ? <Tag color="cyan">{value}</Tag> : value}</div>
      ),
  },
  { header: t('Default'), cell: ({ fallback }) => <span className="dimmed">{fallback === '' ? '–' : fallback}</span> },
]
