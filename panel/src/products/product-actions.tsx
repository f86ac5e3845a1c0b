import { Text } from '@mantine/core'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Form, TextField } from '../common/form.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'
import { EditForm } from './product-edit.tsx'
import type { ProductDetails } from './product.tsx'

type Props = { product: ProductDetails }

export function ProductActions({ product }: Props) {
  const { title: name } = product
  return (
    <>
      <DialogButton opens={t('Edit…')} heading={t('Edit {name}', { name })}>
        {(close) => <EditForm product={product} close={close} />}
      </DialogButton>
      <DialogButton variant="light" color="red" opens={t('Delete…')} heading={t('Delete {name}', { name })}>
        {(close) => <DeleteForm product={product} close={close} />}
      </DialogButton>
    </>
  )
}

function DeleteForm({ product: { id, title, version }, close }: Props & { close: () => void }) {
  const [reason, setReason] = useState('')
  const remove = useCall(
    () =>
      readBody(
        api.DELETE('/api/admin/v1/product/{id}', {
          params: { path: { id } },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
          headers: ifVersion(version),
        }),
      ),
    { done: t('{name} was deleted.', { name: title }), refresh: ['product', 'products'], isShown: true },
  )
  return (
    <Form
      call={remove}
      submit={() => remove.mutate(undefined, { onSuccess: close })}
      label={t('Delete the product')}
      color="red"
    >
      <Text size="sm">
        {t('Nobody sees it any more, its open swaps end, and both sides of them are told. This cannot be undone.')}
      </Text>
      <TextField label={t('Reason')} maxLength={500} value={reason} onType={setReason} />
    </Form>
  )
}
