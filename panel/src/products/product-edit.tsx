import { NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { Form, TextArea, TextField, useFields } from '../common/form.tsx'
import { toOptions } from '../common/labels.tsx'
import { Loaded } from '../common/loaded.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'
import { ImagesField } from './images-field.tsx'
import type { ProductDetails } from './product.tsx'

type Edit = ReturnType<typeof toEdit>

function toEdit({ title, description, condition, status, wants, city, images, ...product }: ProductDetails) {
  const { category, estimated_value_cents } = product
  return { title, description, category_id: category.id, condition, status, wants, city, images, estimated_value_cents }
}

/** Changes a product: only what differs is sent, so that what others have changed meanwhile stays. */
export function EditForm({ product, close }: { product: ProductDetails; close: () => void }) {
  // The version is that of what one sees, so that nothing is saved over what somebody else saves meanwhile.
  const [{ before, version }] = useState({ before: toEdit(product), version: product.version })
  const { typed, change, field } = useFields(before)
  const [value, setValue] = useState<number | string>(
    before.estimated_value_cents === null ? '' : before.estimated_value_cents / 100,
  )
  const edited: Edit = { ...typed, estimated_value_cents: value === '' ? null : Math.round(Number(value) * 100) }
  const edit = Object.fromEntries(
    Object.entries(edited).filter(([name, is]) => JSON.stringify(is) !== JSON.stringify(before[name as keyof Edit])),
  )
  const save = useCall(
    () =>
      readBody(
        api.PATCH('/api/admin/v1/product-update', {
          body: { id: product.id, ...edit },
          headers: ifVersion(version),
        }),
      ),
    { done: t('{name} was saved.', { name: typed.title }), refresh: ['product', 'products'], isShown: true },
  )
  const faultsIn = (name: keyof Edit) => field(name, save).faults
  const choice = <Name extends 'condition' | 'status'>(name: Name) => ({
    allowDeselect: false,
    value: typed[name],
    error: faultsIn(name)?.join(', '),
    onChange: (chosen: Edit[Name] | null) => chosen !== null && change({ [name]: chosen }),
  })
  return (
    <Form
      call={save}
      submit={() => save.mutate(undefined, { onSuccess: close })}
      label={t('Save')}
      fields={Object.keys(typed)}
      isReady={Object.keys(edit).length > 0}
    >
      <TextField label={t('Title')} required maxLength={200} {...field('title', save)} />
      <TextArea
        label={t('Description')}
        required
        maxLength={5_000}
        autosize
        minRows={3}
        maxRows={10}
        {...field('description', save)}
      />
      <TextField
        label={t('Wants')}
        maxLength={500}
        {...field('wants', save)}
        onType={(wants) => change({ wants: wants || null })}
      />
      <TextField
        label={t('City')}
        maxLength={100}
        {...field('city', save)}
        onType={(city) => change({ city: city || null })}
      />
      <CategoryChoice
        value={typed.category_id}
        faults={faultsIn('category_id')}
        choose={(category_id) => change({ category_id })}
      />
      <Select label={t('Condition')} data={toOptions(['new', 'like_new', 'good', 'fair'])} {...choice('condition')} />
      <Select
        label={t('Status')}
        description={t('Only swaps reserve a product or give it away.')}
        data={toOptions(['draft', 'active', 'reserved', 'swapped', 'paused', 'removed'])}
        {...choice('status')}
      />
      <NumberInput
        label={t('Value in {currency}', { currency: product.currency })}
        min={0}
        decimalScale={2}
        value={value}
        error={faultsIn('estimated_value_cents')?.join(', ')}
        onChange={setValue}
      />
      <ImagesField images={typed.images} change={(images) => change({ images })} faults={faultsIn('images')} />
    </Form>
  )
}

type CategoryChoiceProps = { value: number; faults: string[] | undefined; choose: (id: number) => void }

function CategoryChoice({ value, faults, choose }: CategoryChoiceProps) {
  const categories = useQuery({
    queryKey: ['all-categories'],
    queryFn: () => readBody(api.GET('/api/admin/v1/categories', { params: { query: { per_page: 100 } } })),
  })
  return (
    <Loaded of={categories} pending={60}>
      {({ data }) => (
        <Select
          label={t('Category')}
          searchable
          allowDeselect={false}
          data={data.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(value)}
          error={faults?.join(', ')}
          onChange={(id) => id !== null && choose(Number(id))}
        />
      )}
    </Loaded>
  )
}
