import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { inWords } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageHeader } from '../common/states.tsx'
import { t } from '../translation/translate.ts'
import { rolesQuery, type Role } from './roles-query.ts'

const MEANS: Record<string, string> = {
  panel: t('sign in to this panel'),
  campaigns: t('write, send, pause and stop campaigns'),
  users: t('change, suspend, delete and export accounts, and give roles'),
  products: t('read all products'),
  'products.write': t('change and remove products'),
  verification: t('decide about products that wait'),
  'product-reports': t('decide about reported products'),
  'user-reports': t('decide about reported users'),
  catalogue: t('keep categories and plans'),
  groups: t('read and archive groups'),
  swaps: t('read swaps and resolve disputes'),
  reports: t('read the reports on swaps and subscriptions'),
  insights: t('read the insights'),
  audit: t('read the audit log and the settings of the service'),
  approvals: t('approve or refuse requests of other administrators'),
  'users.contact': t('take e-mail addresses and phone numbers along in files'),
}

/** Shows who may do what: a row for each permission, a column for each role. */
export function RolesTable() {
  const roles = useQuery(rolesQuery)
  return (
    <section>
      <PageHeader
        title={t('Who may do what')}
        about={t(
          'Only somebody with the same or a higher role can give a role; only somebody with a higher role can take it away.',
        )}
        isPart
      />
      <Loaded of={roles} pending={300}>
        {(data) => <Permissions roles={data.filter(({ permissions }) => permissions.length > 0)} />}
      </Loaded>
    </section>
  )
}

function Permissions({ roles }: { roles: Role[] }) {
  return (
    <Rows
      title={t('Who may do what')}
      minWidth={600}
      rowKey={(permission) => permission}
      rows={[...new Set<string>(roles.flatMap((role) => role.permissions))]}
      columns={[
        { header: t('May'), isHead: true, cell: (permission) => MEANS[permission] ?? inWords(permission) },
        ...roles.map(({ role, permissions }) => ({
          header: inWords(role),
          cell: (permission: string) =>
            permissions.some((held) => held === permission) ? <IconCheck size={16} aria-label={t('yes')} /> : '–',
        })),
      ]}
    />
  )
}
