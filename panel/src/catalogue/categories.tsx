import { Button, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { Confirm } from '../common/confirm.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Failure } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

type Category = Awaited<ReturnType<typeof loadCategories>>['data'][number]

function loadCategories(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/v1/categories', { params: { query: search as never } }))
}

const REFRESHED = ['categories', 'all-categories']

/** The first hundred categories, to choose a parent from. */
function useParents(): Category[] {
  const { data } = useQuery({ queryKey: ['all-categories'], queryFn: () => loadCategories({ per_page: 100 }) })
  return data?.data ?? []
}

/** The categories of products. */
export function CategoriesPage() {
  const [isAdding, adding] = useDisclosure(false)
  const parents = useParents()
  const nameOf = (id: number | null) => (id === null ? '–' : (parents.find((parent) => parent.id === id)?.name ?? id))
  const columns: Column<Category>[] = [
    { header: t('Name'), cell: ({ name }) => name },
    { header: t('Short name'), cell: ({ slug }) => slug },
    { header: t('Below'), cell: ({ parent_id: id }) => nameOf(id) },
    { header: t('Used'), cell: ({ is_used: isUsed }) => (isUsed ? t('yes') : t('no')) },
    { header: t('Actions'), cell: (category) => <Actions category={category} /> },
  ]
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
      {t('Add a category')}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t('Categories')}
        about={t('What products are sorted into. One that is used can be renamed and moved, and not deleted.')}
        queryKey="categories"
        load={loadCategories}
        search={useSearch({ strict: false })}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{ title: t('No categories yet'), text: t('Products need one before they can be listed.'), action: add }}
        actions={add}
      />
      <Modal opened={isAdding} onClose={adding.close} title={t('Add a category')}>
        {isAdding && <CategoryForm category={undefined} close={adding.close} />}
      </Modal>
    </>
  )
}

function Actions({ category }: { category: Category }) {
  const [isEditing, editing] = useDisclosure(false)
  const [isAsking, asking] = useDisclosure(false)
  const remove = useCall(
    () => bodyOf(api.DELETE('/api/admin/v1/categories/{id}', { params: { path: { id: category.id } } })),
    { done: t('The category was deleted.'), refresh: REFRESHED, isShown: true },
  )
  return (
    <Button.Group>
      <Button size="compact-sm" variant="default" onClick={editing.open}>
        {t('Edit…')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={category.is_used} onClick={asking.open}>
        {t('Delete…')}
      </Button>
      <Modal opened={isEditing} onClose={editing.close} title={t('Edit {name}', { name: category.name })}>
        {isEditing && <CategoryForm category={category} close={editing.close} />}
      </Modal>
      <Confirm
        isOpen={isAsking}
        close={asking.close}
        title={t('Delete {name}', { name: category.name })}
        label={t('Delete the category')}
        isPending={remove.isPending}
        error={remove.error}
        confirm={() => remove.mutate(undefined, { onSuccess: asking.close })}
      >
        {t('No product is in it.')}
      </Confirm>
    </Button.Group>
  )
}

function CategoryForm({ category, close }: { category: Category | undefined; close: () => void }) {
  const [name, setName] = useState(category?.name ?? '')
  const [slug, setSlug] = useState('')
  const [parent, setParent] = useState<string | null>(category?.parent_id ? String(category.parent_id) : null)
  const parents = useParents().filter(({ id }) => id !== category?.id)
  const body = { name: name.trim(), parent_id: parent === null ? null : Number(parent) }
  const save = useCall(
    () =>
      category === undefined
        ? bodyOf<unknown>(api.POST('/api/admin/v1/categories', { body: { ...body, slug } }))
        : bodyOf<unknown>(api.PATCH('/api/admin/v1/categories/{id}', { params: { path: { id: category.id } }, body })),
    { done: t('{name} was saved.', { name: body.name }), refresh: REFRESHED, isShown: true },
  )
  const { fields } = toRefusal(save.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined, { onSuccess: close })
      }}
    >
      <Stack>
        {save.error !== null && Object.keys(fields).length === 0 && <Failure thrown={save.error} />}
        <TextInput
          label={t('Name')}
          required
          maxLength={100}
          value={name}
          error={fields['name']?.join(', ')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        {category === undefined && (
          <TextInput
            label={t('Short name')}
            description={t('Small letters, digits and dashes. The app knows the category by it, so it stays.')}
            required
            maxLength={64}
            value={slug}
            error={fields['slug']?.join(', ')}
            onChange={({ currentTarget }) => setSlug(currentTarget.value)}
          />
        )}
        <Select
          label={t('Below')}
          description={t('Empty: at the top.')}
          searchable
          clearable
          data={parents.map((option) => ({ value: String(option.id), label: option.name }))}
          value={parent}
          error={fields['parent_id']?.join(', ')}
          onChange={setParent}
        />
        <Button type="submit" loading={save.isPending}>
          {t('Save')}
        </Button>
      </Stack>
    </form>
  )
}
