import { NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, ifVersion } from '../api/client.ts'
import { faultsOf, Form, TextArea, TextField } from '../common/form.tsx'
import { optionsOf } from '../common/labels.tsx'
import { Loaded } from '../common/loaded.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'
import { ImagesField } from './images-field.tsx'
import type { ProductDetails } from './product.tsx'

type Edit = ReturnType<typeof editOf>
type FieldsProps = { typed: Edit; change: (part: Partial<Edit>) => void; faults: Record<string, string[]> }

function editOf({ title, description, condition, status, wants, city, images, ...product }: ProductDetails) {
  const { category, estimated_value_cents } = product
  return { title, description, category_id: category.id, condition, status, wants, city, images, estimated_value_cents }
}

/** Changes a product: only what differs is sent, so that what others have changed meanwhile stays. */
export function EditForm({ product, close }: { product: ProductDetails; close: () => void }) {
  const [before] = useState(editOf(product))
  const [typed, setTyped] = useState(before)
  const [value, setValue] = useState<number | string>(
    before.estimated_value_cents === null ? '' : before.estimated_value_cents / 100,
  )
  const wanted: Edit = { ...typed, estimated_value_cents: value === '' ? null : Math.round(Number(value) * 100) }
  const edit = Object.fromEntries(
    Object.entries(wanted).filter(([name, is]) => JSON.stringify(is) !== JSON.stringify(before[name as keyof Edit])),
  )
  const save = useCall(
    () =>
      bodyOf(
        api.PATCH('/api/admin/v1/product-update', {
          body: { id: product.id, ...edit },
          headers: ifVersion(product.version),
        }),
      ),
    { done: t('{name} was saved.', { name: typed.title }), refresh: ['product', 'products'], isShown: true },
  )
  const props = {
    typed,
    change: (part: Partial<Edit>) => setTyped({ ...typed, ...part }),
    faults: faultsOf(save.error),
  }
  return (
    <Form
      call={save}
      submit={() => save.mutate(undefined, { onSuccess: close })}
      label={t('Save')}
      fields={Object.keys(typed)}
      isReady={Object.keys(edit).length > 0}
    >
      <Texts {...props} />
      <Choices {...props} />
      <NumberInput
        label={t('Value in {currency}', { currency: product.currency })}
        min={0}
        decimalScale={2}
        value={value}
        error={props.faults['estimated_value_cents']?.join(', ')}
        onChange={setValue}
      />
      <ImagesField
        images={typed.images}
        change={(images) => props.change({ images })}
        faults={props.faults['images']}
      />
    </Form>
  )
}

function Texts({ typed, change, faults }: FieldsProps) {
  return (
    <>
      <TextField
        label={t('Title')}
        required
        maxLength={200}
        value={typed.title}
        faults={faults['title']}
        onType={(title) => change({ title })}
      />
      <TextArea
        label={t('Description')}
        required
        maxLength={5_000}
        autosize
        minRows={3}
        maxRows={10}
        value={typed.description}
        faults={faults['description']}
        onType={(description) => change({ description })}
      />
      <TextField
        label={t('Wants')}
        maxLength={500}
        value={typed.wants ?? ''}
        faults={faults['wants']}
        onType={(wants) => change({ wants: wants || null })}
      />
      <TextField
        label={t('City')}
        maxLength={100}
        value={typed.city ?? ''}
        faults={faults['city']}
        onType={(city) => change({ city: city || null })}
      />
    </>
  )
}

function Choices({ typed, change, faults }: FieldsProps) {
  const categories = useQuery({
    queryKey: ['all-categories'],
    queryFn: () => bodyOf(api.GET('/api/admin/v1/categories', { params: { query: { per_page: 100 } } })),
  })
  return (
    <>
      <Loaded of={categories} pending={60}>
        {({ data }) => (
          <Select
            label={t('Category')}
            searchable
            allowDeselect={false}
            data={data.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(typed.category_id)}
            error={faults['category_id']?.join(', ')}
            onChange={(id) => id !== null && change({ category_id: Number(id) })}
          />
        )}
      </Loaded>
      <Select
        label={t('Condition')}
        allowDeselect={false}
        data={optionsOf<Edit['condition']>(['new', 'like_new', 'good', 'fair'])}
        value={typed.condition}
        error={faults['condition']?.join(', ')}
        onChange={(condition) => condition !== null && change({ condition })}
      />
      <Select
        label={t('Status')}
        description={t('Only swaps reserve a product or give it away.')}
        allowDeselect={false}
        data={optionsOf<Edit['status']>(['draft', 'active', 'reserved', 'swapped', 'paused', 'removed'])}
        value={typed.status}
        error={faults['status']?.join(', ')}
        onChange={(status) => status !== null && change({ status })}
      />
    </>
  )
}
