import { Button, Modal, Radio, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { Form, TextArea } from '../common/form.tsx'
import { t } from '../translation/translate.ts'

type Resolution = 'completed' | 'cancelled'

/** Ends a dispute. It cannot be taken back, so both outcomes say what they do. */
export function ResolveDispute({ id }: { id: number }) {
  const [isOpen, dialog] = useDisclosure(false)
  const [resolution, setResolution] = useState<Resolution>()
  const [note, setNote] = useState('')
  const queries = useQueryClient()
  const resolve = useMutation({
    mutationFn: (wanted: Resolution) =>
      bodyOf(
        api.POST('/api/admin/v1/swap/{id}/resolve', {
          params: { path: { id } },
          body: { resolution: wanted, note: note.trim() },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries()
      dialog.close()
      notifications.show({ color: 'green', message: t('The dispute is resolved. Both sides were informed.') })
    },
  })
  return (
    <>
      <Button onClick={dialog.open}>{t('Resolve…')}</Button>
      <Modal opened={isOpen} onClose={dialog.close} title={t('Resolve the dispute')}>
        <Form
          call={resolve}
          submit={() => resolution !== undefined && resolve.mutate(resolution)}
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
      </Modal>
    </>
  )
}
