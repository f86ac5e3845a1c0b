import { Button, Chip, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../translation/translate.ts'

export type Judgement = { action: 'dismiss' | 'warn_owner' | 'remove_product'; note?: string; message?: string }

/** Common reasons. A chip writes its sentence into the message, where it can be changed. */
const REASONS = [
  t('It may not be offered here.'),
  t('The offer does not match the product.'),
  t('It appears to be a counterfeit.'),
  t('Words or pictures offend.'),
  t('It appears to be a fraud.'),
  t('It is not safe to pass on.'),
]

type JudgeDialogProps = {
  asking: 'warn_owner' | 'remove_product' | undefined
  close: () => void
  decide: (judgement: Judgement) => void
}

/** Asks why a product is removed or its owner warned: the owner is told in these words. */
export function JudgeDialog({ asking, close, decide }: JudgeDialogProps) {
  const [message, setMessage] = useState('')
  useEffect(() => setMessage(''), [asking])
  const verb = asking === 'remove_product' ? t('Remove the product') : t('Warn the owner')
  return (
    <Modal opened={asking !== undefined} onClose={close} title={t('{decision}: why?', { decision: verb })} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (asking !== undefined) decide({ action: asking, note: message.trim(), message: message.trim() })
        }}
      >
        <Stack>
          <Chip.Group value={REASONS.includes(message) ? message : null} onChange={(value) => setMessage(value ?? '')}>
            <Group gap="xs" role="radiogroup" aria-label={t('Reason')}>
              {REASONS.map((reason) => (
                <Chip key={reason} value={reason}>
                  {reason}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <Textarea
            label={t('Message to the owner')}
            description={t('The owner gets it as a push. It is kept with the reports.')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={message}
            onChange={({ currentTarget }) => setMessage(currentTarget.value)}
          />
          <Button type="submit" color={asking === 'remove_product' ? 'red' : 'yellow'} disabled={message.trim() === ''}>
            {verb}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
