import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { AskButton } from '../common/ask-button.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { t } from '../translation/translate.ts'
import { AddButton, EditButton, NamedForm, type RecordFormProps } from './catalogue-page.tsx'

const PATH = '/api/admin/v1/categories'
const REFRESHED = ['categories', 'all-categories']

type Category = RowOf<typeof PATH>

const add = <AddButton label={t('Add a category')} form={CategoryForm} />

export const CategoriesPage = listPage(PATH, {
  queryKey: 'categories',
  columns: [
    { header: t('Name'), cell: ({ name }) => name },
    { header: t('Short name'), cell: ({ slug }) => slug },
    { header: t('Below'), cell: ({ parent_id: id }) => (id === null ? '–' : <Parent id={id} />) },
    { header: t('Used'), cell: ({ is_used: isUsed }) => (isUsed ? t('yes') : t('no')) },
    { header: t('Actions'), cell: (category) => <Actions category={category} /> },
  ],
  empty: { title: t('No categories yet'), text: t('Products need one before they can be listed.'), action: add },
  actions: add,
})

/** The first hundred categories, to choose a parent from. */
function useParents(): Category[] {
  const { data } = useQuery({
    queryKey: ['all-categories'],
    queryFn: () => readBody(api.GET(PATH, { params: { query: { per_page: 100 } } })),
  })
  return data?.data ?? []
}

function Parent({ id }: { id: number }) {
  return useParents().find((parent) => parent.id === id)?.name ?? id
}

function Actions({ category }: { category: Category }) {
  const { id, name, is_used: isUsed } = category
  return (
    <Button.Group>
      <EditButton record={category} form={CategoryForm} />
      <AskButton
        opens={t('Delete…')}
        title={t('Delete {name}', { name })}
        label={t('Delete the category')}
        button={{ disabled: isUsed }}
        done={t('The category was deleted.')}
        refresh={REFRESHED}
        call={() => readBody(api.DELETE('/api/admin/v1/categories/{id}', { params: { path: { id } } }))}
      >
        {t('No product is in it.')}
      </AskButton>
    </Button.Group>
  )
}

function CategoryForm({ record: category, close }: RecordFormProps<Category>) {
  const [parent, setParent] = useState<string | null>(category?.parent_id ? String(category.parent_id) : null)
  const parents = useParents().filter(({ id }) => id !== category?.id)
  const about = t('Lower-case letters, digits and dashes. The app identifies the category by it, so it cannot change.')
  const save = ({ name, code }: { name: string; code: string }) => {
    const body = { name, parent_id: parent === null ? null : Number(parent) }
    if (category === undefined) return readBody(api.POST(PATH, { body: { ...body, slug: code } }))
    const params = { path: { id: category.id } }
    return readBody<unknown>(
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
