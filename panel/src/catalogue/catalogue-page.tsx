import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { TextField } from '../common/form.tsx'
import { ListPage } from '../common/list-page.tsx'
import { t } from '../translation/translate.ts'

/** What is drawn in the dialog of a record; `record` is undefined for a new one. */
export type RecordForm<Row> = (record: Row | undefined, close: () => void) => ReactNode

type CataloguePageProps<Row> = ComponentProps<typeof ListPage<Row>> & { addLabel: string; form: RecordForm<Row> }

/** A list to which administrators add records. */
export function CataloguePage<Row>({ addLabel, form, empty, ...list }: CataloguePageProps<Row>) {
  const [isAdding, adding] = useDisclosure(false)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
      {addLabel}
    </Button>
  )
  return (
    <>
      <ListPage {...list} empty={{ ...empty, action: add }} actions={add} />
      <Modal opened={isAdding} onClose={adding.close} title={addLabel}>
        {isAdding && form(undefined, adding.close)}
      </Modal>
    </>
  )
}

type NameFieldsProps = {
  name: string
  setName: (name: string) => void
  /** The name of the record for programs. It never changes, so only the form of a new record has it. */
  code: { field: string; label: string; about: string; value: string; set: (code: string) => void } | undefined
  faults: Record<string, string[]>
}

/** The name of a record, and its code where it is new. */
export function NameFields({ name, setName, code, faults }: NameFieldsProps) {
  return (
    <>
      <TextField
        label={t('Name')}
        required
        maxLength={100}
        value={name}
        faults={faults['name']}
        onType={setName}
        data-autofocus
      />
      {code && (
        <TextField
          label={code.label}
          description={code.about}
          required
          maxLength={64}
          value={code.value}
          faults={faults[code.field]}
          onType={code.set}
        />
      )}
    </>
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
