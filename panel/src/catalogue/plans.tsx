import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { TextField } from '../common/form.tsx'
import { inWords, toOptions } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { formatMoney } from '../common/money.ts'
import { t } from '../translation/translate.ts'
import { AddButton, EditButton, NamedForm, type RecordFormProps } from './catalogue-page.tsx'

const PATH = '/api/admin/v1/plans'
type Plan = RowOf<typeof PATH>

const add = <AddButton label={t('Add a plan')} form={PlanForm} />

export const PlansPage = listPage(PATH, {
  queryKey: 'plans',
  columns: [
    { header: t('Name'), cell: ({ name }) => name },
    { header: t('Code'), cell: ({ code }) => code },
    {
      header: t('Price'),
      isNumber: true,
      cell: ({ price_cents: cents, currency, period }) =>
        t('{price} a {period}', { price: formatMoney(cents, currency), period: inWords(period) }),
    },
    { header: t('Used'), cell: ({ is_used: isUsed }) => (isUsed ? t('yes') : t('no')) },
    { header: t('Actions'), cell: (plan) => <EditButton record={plan} form={PlanForm} /> },
  ],
  empty: { title: t('No plans yet'), text: t('Nobody can subscribe until there is a plan.'), action: add },
  actions: add,
})

function PlanForm({ record: plan, close }: RecordFormProps<Plan>) {
  const [price, setPrice] = useState<number | string>((plan?.price_cents ?? 0) / 100)
  const [currency, setCurrency] = useState(plan?.currency ?? 'EUR')
  const [period, setPeriod] = useState<Plan['period']>(plan?.period ?? 'month')
  const isFixed = plan?.is_used ?? false
  const terms = { price_cents: Math.round(Number(price) * 100), currency: currency.toUpperCase(), period }
  const about = t('Lower-case letters, digits and dashes. The stores identify the plan by it, so it cannot change.')
  const save = ({ name, code }: { name: string; code: string }) => {
    if (plan === undefined) return readBody(api.POST(PATH, { body: { name, code, ...terms } }))
    const body = { name, ...(!isFixed && terms) }
    const params = { path: { id: plan.id } }
    return readBody<unknown>(api.PATCH('/api/admin/v1/plans/{id}', { params, body, headers: ifVersion(plan.version) }))
  }
  return (
    <NamedForm
      record={plan}
      close={close}
      code={{ field: 'code', label: t('Code'), about }}
      fields={['price_cents', 'currency']}
      save={save}
      refresh={['plans']}
    >
      {(faults) => (
        <>
          <NumberInput
            label={t('Price')}
            required
            min={0}
            max={1_000_000}
            decimalScale={2}
            disabled={isFixed}
            value={price}
            error={faults['price_cents']?.join(', ')}
            onChange={setPrice}
          />
          <TextField
            label={t('Currency')}
            required
            maxLength={3}
            disabled={isFixed}
            value={currency}
            faults={faults['currency']}
            onType={setCurrency}
          />
          <Select
            label={t('Paid each')}
            disabled={isFixed}
            data={toOptions<Plan['period']>(['month', 'year'])}
            value={period}
            allowDeselect={false}
            onChange={(chosen) => chosen !== null && setPeriod(chosen)}
          />
        </>
      )}
    </NamedForm>
  )
}
