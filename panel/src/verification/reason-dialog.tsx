import { Button, Chip, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../translation/translate.ts'

/** Why, and what the owner reads: in the language of the app, whatever the panel's is. */
const REASONS = {
  unclear_photos: [t('Photos are unclear'), 'Please add photos that show the product clearly.'],
  incomplete_description: [t('Description is incomplete'), 'Please describe the product and its condition.'],
  wrong_category: [t('Wrong category'), 'Please choose the category that fits the product.'],
  misleading: [t('Misleading'), 'The offer does not match the product.'],
  prohibited_item: [t('Prohibited item'), 'This kind of product cannot be offered here.'],
  counterfeit: [t('Counterfeit'), 'The product appears to be a counterfeit.'],
  offensive: [t('Offensive'), 'The offer has words or pictures that offend.'],
  duplicate: [t('Duplicate'), 'You offer the same product already.'],
  unsafe: [t('Unsafe'), 'The product is not safe to pass on.'],
  other: [t('Other'), ''],
} as const

export type Reason = { reason_code: keyof typeof REASONS; message: string }

type ReasonDialogProps = {
  asking: 'reject' | 'changes' | undefined
  close: () => void
  decide: (verdict: 'reject' | 'changes', reason: Reason) => void
}

/** Asks why; the reason becomes the message to the owner, and can be changed before it is sent. */
export function ReasonDialog({ asking, close, decide }: ReasonDialogProps) {
  const [code, setCode] = useState<Reason['reason_code']>('unclear_photos')
  const [message, setMessage] = useState<string>(REASONS.unclear_photos[1])
  useEffect(() => setMessage(REASONS[code][1]), [code, asking])
  const verb = asking === 'reject' ? t('Reject') : t('Ask for changes')
  return (
    <Modal opened={asking !== undefined} onClose={close} title={t('{decision}: why?', { decision: verb })} size="lg">
      <Stack>
        <Chip.Group value={code} onChange={(value) => setCode(value)}>
          <Group gap="xs" role="radiogroup" aria-label={t('Reason')}>
            {Object.entries(REASONS).map(([value, [label]]) => (
              <Chip key={value} value={value}>
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Textarea
          label={t('Message to the owner')}
          required
          autosize
          minRows={2}
          maxLength={1_000}
          value={message}
          onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        />
        <Text size="xs" c="dimmed">
          {t('The owner gets this text with a push, and can change the product.')}
        </Text>
        <Button
          color={asking === 'reject' ? 'red' : 'yellow'}
          disabled={message.trim() === ''}
          onClick={() => asking && decide(asking, { reason_code: code, message: message.trim() })}
        >
          {verb}
        </Button>
      </Stack>
    </Modal>
  )
}
