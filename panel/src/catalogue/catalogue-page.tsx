import { IconPlus } from '@tabler/icons-react'
import { useState, type ComponentType, type ReactNode } from 'react'
import { DialogButton } from '../common/dialog-button.tsx'
import { toFieldFaults, Form, TextField, useFields } from '../common/form.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

export type RecordFormProps<Row> = { record?: Row | undefined; close: () => void }
type RecordForm<Row> = ComponentType<RecordFormProps<Row>>

export function AddButton<Row>({ label, form: RecordFields }: { label: string; form: RecordForm<Row> }) {
  return (
    <DialogButton variant="filled" leftSection={<IconPlus size={16} aria-hidden />} opens={label} heading={label}>
      {(close) => <RecordFields close={close} />}
    </DialogButton>
  )
}

/**
 * Opens the dialog in which a record is changed. It keeps the version that one sees, so that nothing is saved over what
 * somebody else saves meanwhile.
 */
export function EditButton<Row extends { name: string }>({
  record,
  form: RecordFields,
}: {
  record: Row
  form: RecordForm<Row>
}) {
  return (
    <DialogButton size="compact-sm" opens={t('Edit…')} heading={t('Edit {name}', { name: record.name })}>
      {(close) => <AsOpened record={record}>{(opened) => <RecordFields record={opened} close={close} />}</AsOpened>}
    </DialogButton>
  )
}

function AsOpened<Row>({ record, children }: { record: Row; children: (opened: Row) => ReactNode }) {
  const [opened] = useState(record)
  return children(opened)
}

type NamedFormProps = RecordFormProps<{ name: string }> & {
  /** The name of the record for programs. It never changes, so only the form of a new record has it. */
  code: { field: string; label: string; about: string }
  /** The other fields show their own faults. */
  fields: string[]
  children: (faults: Record<string, string[]>) => ReactNode
  save: (named: { name: string; code: string }) => Promise<unknown>
  refresh: string[]
}

/** The form of a record: its name, its code where it is new, and its other fields. */
export function NamedForm({ record, close, code, fields, children, save, refresh }: NamedFormProps) {
  const { typed, field } = useFields({ name: record?.name ?? '', [code.field]: '' })
  const named = { name: typed.name.trim(), code: typed[code.field] ?? '' }
  const call = useCall(() => save(named), { done: t('{name} was saved.', named), refresh, isShown: true })
  const submit = () => call.mutate(undefined, { onSuccess: close })
  return (
    <Form call={call} submit={submit} label={t('Save')} fields={['name', code.field, ...fields]}>
      <TextField label={t('Name')} required maxLength={100} {...field('name', call)} data-autofocus />
      {record === undefined && (
        <TextField label={code.label} description={code.about} required maxLength={64} {...field(code.field, call)} />
      )}
      {children(toFieldFaults(call.error))}
    </Form>
  )
}
