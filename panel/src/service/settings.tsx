import { Code, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { Tag } from '../common/labels.tsx'
import { changed, type ListSearch } from '../common/list-search.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, PageHeader, SkeletonRows } from '../common/states.tsx'
import { language } from '../translation/language.ts'
import { t } from '../translation/translate.ts'

/** Their purposes are in the language of the panel. */
async function loadSettings() {
  const [{ data }, purposes] = await Promise.all([bodyOf(api.GET('/api/admin/v1/service-settings')), loadPurposes()])
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
        pending={<Rows />}
        isEmpty={(all) => matching(all).length === 0}
        empty={<Empty title={t('Nothing matches')}>{t('Change the search or the filters, or show all.')}</Empty>}
      >
        {(all) => <Rows rows={matching(all)} />}
      </Loaded>
    </Stack>
  )
}

/** `rows` undefined: they are loading. */
function Rows({ rows }: { rows?: Setting[] }) {
  return (
    <Table.ScrollContainer minWidth={640} scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t('Settings')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Setting')}</Table.Th>
            <Table.Th>{t('Value')}</Table.Th>
            <Table.Th>{t('Default')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined && <SkeletonRows columns={3} />}
          {rows?.map((setting) => (
            <Row key={setting.name} setting={setting} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Row({ setting: { name, doc, value, fallback, is_changed: isChanged } }: { setting: Setting }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{name}</Code>
        <Text size="xs" c="dimmed" maw={420}>
          {doc}
        </Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {value === null ? (
          <Tag color="gray">{isChanged ? t('set, hidden') : t('not set')}</Tag>
        ) : isChanged ? (
          <Tag color="cyan">{value}</Tag>
        ) : (
          value
        )}
      </Table.Td>
      <Table.Td c="dimmed">{fallback === '' ? '–' : fallback}</Table.Td>
    </Table.Tr>
  )
}
