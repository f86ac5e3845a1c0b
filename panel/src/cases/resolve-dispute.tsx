import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Form, TextArea } from '../common/form.tsx'
import { inWords } from '../common/labels.tsx'
import { UNDOABLE, useDecide, useDecisions } from './decisions.tsx'
import { t } from '../translation/translate.ts'

type Resolution = 'completed' | 'cancelled'

/** Ends a dispute. After five seconds it cannot be undone, so both outcomes say what they do. */
export function ResolveDispute({ id }: { id: number }) {
  const { isDecided } = useDecisions()
  return (
    <DialogButton
      variant="filled"
      opens={t('Resolve…')}
      heading={t('Resolve the dispute')}
      disabled={isDecided('dispute', id)}
    >
      {(close) => <ResolveForm id={id} close={close} />}
    </DialogButton>
  )
}

function ResolveForm({ id, close }: { id: number; close: () => void }) {
  const [resolution, setResolution] = useState<Resolution>()
  const [note, setNote] = useState('')
  const title = t('Swap no. {id}', { id: String(id) })
  const resolve = useDecide(
    (chosen: Resolution) => {
      const params = { path: { id }, query: UNDOABLE }
      const body = { resolution: chosen, note: note.trim() }
      return readBody<{ data: unknown }>(api.POST('/api/admin/v1/swap/{id}/resolve', { params, body }))
    },
    (chosen) => ({
      kind: 'dispute',
      recordId: id,
      title,
      waiting: t('{title}: {done}. Nobody is informed yet.', { title, done: inWords(chosen) }),
      done: t('The dispute is resolved. Both sides were informed.'),
    }),
  )
  return (
    <Form
      call={resolve}
      submit={() => resolution !== undefined && resolve.mutate(resolution, { onSuccess: close })}
      label={t('Resolve for good')}
      isReady={resolution !== undefined && note.trim() !== ''}
    >
      <Radio.Group
        label={t('Outcome of the swap')}
        value={resolution ?? null}
        onChange={(value) => setResolution(value)}
      >
        <Stack gap={6} mt={6}>
          <Radio value="completed" label={t('Completed: both products count as swapped')} />
          <Radio value="cancelled" label={t('Cancelled: both products return to the market')} />
        </Stack>
      </Radio.Group>
      <TextArea
        label={t('Note')}
        description={t('For administrators only. Both sides learn the outcome, not the note.')}
        maxLength={1000}
        value={note}
        onType={setNote}
      />
    </Form>
  )
}
