import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { Modal } from '../common/modal.tsx'
import { faultsOf, Form, TextField } from '../common/form.tsx'
import { ListPage } from '../common/list-page.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

/** What is drawn in the dialog of a record; `record` is undefined for a new one. */
export type RecordForm<Row> = (record: Row | undefined, close: () => void) => ReactNode

type CataloguePageProps<Row, Query> = Omit<ComponentProps<typeof ListPage<Row, Query>>, 'search' | 'rowKey'> & {
  addLabel: string
  form: RecordForm<Row>
}

/** A list to which administrators add records. */
export function CataloguePage<Row extends { id: number }, Query>({
  addLabel,
  form,
  empty,
  ...list
}: CataloguePageProps<Row, Query>) {
  const [isAdding, adding] = useDisclosure(false)
  const search = useSearch({ strict: false })
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
      {addLabel}
    </Button>
  )
  return (
    <>
      <ListPage {...list} search={search} rowKey={({ id }) => id} empty={{ ...empty, action: add }} actions={add} />
      <Modal opened={isAdding} onClose={adding.close} title={addLabel}>
        {isAdding && form(undefined, adding.close)}
      </Modal>
    </>
  )
}

type NamedFormProps = {
  record: { name: string } | undefined
  close: () => void
  /** The name of the record for programs. It never changes, so only the form of a new record has it. */
  code: { field: string; label: string; about: string }
  /** The other fields. They show their own faults. */
  fields: string[]
  children: (faults: Record<string, string[]>) => ReactNode
  save: (named: { name: string; code: string }) => Promise<unknown>
  refresh: string[]
}

/** The form of a record: its name, its code where it is new, and its other fields. */
export function NamedForm({ record, close, code, fields, children, save, refresh }: NamedFormProps) {
  const [name, setName] = useState(record?.name ?? '')
  const [given, setGiven] = useState('')
  const named = { name: name.trim(), code: given }
  const call = useCall(() => save(named), {
    done: t('{name} was saved.', { name: named.name }),
    refresh,
    isShown: true,
  })
  const faults = faultsOf(call.error)
  const submit = () => call.mutate(undefined, { onSuccess: close })
  return (
    <Form call={call} submit={submit} label={t('Save')} fields={['name', code.field, ...fields]}>
      <TextField
        label={t('Name')}
        required
        maxLength={100}
        value={name}
        faults={faults['name']}
        onType={setName}
        data-autofocus
      />
      {record === undefined && (
        <TextField
          label={code.label}
          description={code.about}
          required
          maxLength={64}
          value={given}
          faults={faults[code.field]}
          onType={setGiven}
        />
      )}
      {children(faults)}
    </Form>
  )
}

type EditButtonProps<Row> = { record: Row; form: RecordForm<Row> }

/** Opens the dialog in which a record is changed. */
export function EditButton<Row extends { name: string }>({ record, form }: EditButtonProps<Row>) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        {t('Edit…')}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={t('Edit {name}', { name: record.name })}>
        {isOpen && form(record, dialog.close)}
      </Modal>
    </>
  )
}
