import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api, bodyOf, ifVersion } from '../api/client.ts'
import { Confirm } from '../common/confirm.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'
import { CataloguePage, EditButton, NamedForm, type RecordForm } from './catalogue-page.tsx'

type Query = QueryOf<'/api/admin/v1/categories'>
type Category = Awaited<ReturnType<typeof loadCategories>>['data'][number]

function loadCategories(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/categories', { params: { query } }))
}

const REFRESHED = ['categories', 'all-categories']
const NONE: Category[] = []

/** The first hundred categories, to choose a parent from. */
function useParents(): Category[] {
  const { data } = useQuery({ queryKey: ['all-categories'], queryFn: () => loadCategories({ per_page: 100 }) })
  return data?.data ?? NONE
}

function columnsWith(parents: Category[]): Column<Category, Query>[] {
  const nameOf = (id: number | null) => (id === null ? '–' : (parents.find((parent) => parent.id === id)?.name ?? id))
  return [
    { header: t('Name'), cell: ({ name }) => name },
    { header: t('Short name'), cell: ({ slug }) => slug },
    { header: t('Below'), cell: ({ parent_id: id }) => nameOf(id) },
    { header: t('Used'), cell: ({ is_used: isUsed }) => (isUsed ? t('yes') : t('no')) },
    { header: t('Actions'), cell: (category) => <Actions category={category} /> },
  ]
}

const form: RecordForm<Category> = (category, close) => <CategoryForm category={category} close={close} />

/** The categories of products. */
export function CategoriesPage() {
  const parents = useParents()
  return (
    <CataloguePage
      title={t('Categories')}
      about={t('Groups of products. A category that is used can be renamed and moved, but not deleted.')}
      addLabel={t('Add a category')}
      queryKey="categories"
      load={loadCategories}
      columns={useMemo(() => columnsWith(parents), [parents])}
      empty={{ title: t('No categories yet'), text: t('Products need one before they can be listed.') }}
      form={form}
    />
  )
}

function Actions({ category }: { category: Category }) {
  const [isAsking, asking] = useDisclosure(false)
  const remove = useCall(
    () => bodyOf(api.DELETE('/api/admin/v1/categories/{id}', { params: { path: { id: category.id } } })),
    { done: t('The category was deleted.'), refresh: REFRESHED, isShown: true },
  )
  return (
    <Button.Group>
      <EditButton record={category} form={form} />
      <Button size="compact-sm" variant="default" disabled={category.is_used} onClick={asking.open}>
        {t('Delete…')}
      </Button>
      <Confirm
        isOpen={isAsking}
        close={asking.close}
        title={t('Delete {name}', { name: category.name })}
        label={t('Delete the category')}
        call={remove}
        confirm={() => remove.mutate(undefined, { onSuccess: asking.close })}
      >
        {t('No product is in it.')}
      </Confirm>
    </Button.Group>
  )
}

function CategoryForm({ category, close }: { category: Category | undefined; close: () => void }) {
  const [parent, setParent] = useState<string | null>(category?.parent_id ? String(category.parent_id) : null)
  const parents = useParents().filter(({ id }) => id !== category?.id)
  const about = t('Lower-case letters, digits and dashes. The app identifies the category by it, so it cannot change.')
  const save = ({ name, code }: { name: string; code: string }) => {
    const body = { name, parent_id: parent === null ? null : Number(parent) }
    if (category === undefined) return bodyOf(api.POST('/api/admin/v1/categories', { body: { ...body, slug: code } }))
    const params = { path: { id: category.id } }
    return bodyOf<unknown>(
      api.PATCH('/api/admin/v1/categories/{id}', { params, body, headers: ifVersion(category.version) }),
    )
  }
  return (
    <NamedForm
      record={category}
      close={close}
      code={{ field: 'slug', label: t('Short name'), about }}
      fields={['parent_id']}
      save={save}
      refresh={REFRESHED}
    >
      {(faults) => (
        <Select
          label={t('Below')}
          description={t('Empty: at the top.')}
          searchable
          clearable
          data={parents.map((option) => ({ value: String(option.id), label: option.name }))}
          value={parent}
          error={faults['parent_id']?.join(', ')}
          onChange={setParent}
        />
      )}
    </NamedForm>
  )
}
