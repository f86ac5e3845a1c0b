import { Button, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { inWords, optionsOf } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { moneyOf } from '../common/money.ts'
import { Failure } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

type Plan = Awaited<ReturnType<typeof loadPlans>>['data'][number]

function loadPlans(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/v1/plans', { params: { query: search as never } }))
}

const COLUMNS: Column<Plan>[] = [
  { header: t('Name'), cell: ({ name }) => name },
  { header: t('Code'), cell: ({ code }) => code },
  {
    header: t('Price'),
    isNumber: true,
    cell: ({ price_cents: cents, currency, period }) =>
      t('{price} a {period}', { price: moneyOf(cents, currency), period: inWords(period) }),
  },
  { header: t('Used'), cell: ({ is_used: isUsed }) => (isUsed ? t('yes') : t('no')) },
  { header: t('Actions'), cell: (plan) => <Edit plan={plan} /> },
]

/** The plans that people subscribe to. */
export function PlansPage() {
  const [isAdding, adding] = useDisclosure(false)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
      {t('Add a plan')}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t('Plans')}
        about={t('What people subscribe to. Once somebody has, only the name can change.')}
        queryKey="plans"
        load={loadPlans}
        search={useSearch({ strict: false })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={{ title: t('No plans yet'), text: t('Nobody can subscribe before there is one.'), action: add }}
        actions={add}
      />
      <Modal opened={isAdding} onClose={adding.close} title={t('Add a plan')}>
        {isAdding && <PlanForm plan={undefined} close={adding.close} />}
      </Modal>
    </>
  )
}

function Edit({ plan }: { plan: Plan }) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        {t('Edit…')}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={t('Edit {name}', { name: plan.name })}>
        {isOpen && <PlanForm plan={plan} close={dialog.close} />}
      </Modal>
    </>
  )
}

function PlanForm({ plan, close }: { plan: Plan | undefined; close: () => void }) {
  const [name, setName] = useState(plan?.name ?? '')
  const [code, setCode] = useState('')
  const [price, setPrice] = useState<number | string>((plan?.price_cents ?? 0) / 100)
  const [currency, setCurrency] = useState(plan?.currency ?? 'EUR')
  const [period, setPeriod] = useState<Plan['period']>(plan?.period ?? 'month')
  const isFixed = plan?.is_used ?? false
  const terms = { price_cents: Math.round(Number(price) * 100), currency: currency.toUpperCase(), period }
  const save = useCall(
    () =>
      plan === undefined
        ? bodyOf<unknown>(api.POST('/api/admin/v1/plans', { body: { name: name.trim(), code, ...terms } }))
        : bodyOf<unknown>(
            api.PATCH('/api/admin/v1/plans/{id}', {
              params: { path: { id: plan.id } },
              body: { name: name.trim(), ...(!isFixed && terms) },
            }),
          ),
    { done: t('{name} was saved.', { name: name.trim() }), refresh: ['plans'], isShown: true },
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
        {plan === undefined && (
          <TextInput
            label={t('Code')}
            description={t('Small letters, digits and dashes. The stores know the plan by it, so it stays.')}
            required
            maxLength={64}
            value={code}
            error={fields['code']?.join(', ')}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        <NumberInput
          label={t('Price')}
          required
          min={0}
          max={1_000_000}
          decimalScale={2}
          disabled={isFixed}
          value={price}
          error={fields['price_cents']?.join(', ')}
          onChange={setPrice}
        />
        <TextInput
          label={t('Currency')}
          required
          maxLength={3}
          disabled={isFixed}
          value={currency}
          error={fields['currency']?.join(', ')}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
        />
        <Select
          label={t('Paid each')}
          disabled={isFixed}
          data={optionsOf<Plan['period']>(['month', 'year'])}
          value={period}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && setPeriod(chosen)}
        />
        <Button type="submit" loading={save.isPending}>
          {t('Save')}
        </Button>
      </Stack>
    </form>
  )
}
