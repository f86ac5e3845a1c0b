import { Chip, Group } from '@mantine/core'
import { useState } from 'react'
import { Form, TextArea } from '../common/form.tsx'
import { Modal } from '../common/modal.tsx'
import { t } from '../translation/translate.ts'

/** Why, and what the owner reads. */
export type Reason = { code: string; message: string }

/** The reasons of a desk: what a moderator reads, and the message that the reason begins. */
export type ReasonTexts = {
  reasons: (Reason & { label: string })[]
  /** The place of the one that is chosen at first; absent: none. */
  first?: number
  /** The field tells what becomes of the message. */
  about: string
  maxLength: number
}

type ReasonDialogProps = {
  isOpen: boolean
  close: () => void
  /** What the decision is about. */
  title: string
  label: string
  color: 'red' | 'yellow'
  texts: ReasonTexts
  decide: (reason: Reason) => void
}

/** Asks why; the reason becomes the message to the owner, and can be changed before it is sent. */
export function ReasonDialog({ isOpen, close, title, label, ...rest }: ReasonDialogProps) {
  const heading = t('{decision}: {title}: why?', { decision: label, title })
  return (
    <Modal opened={isOpen} onClose={close} title={heading} size="lg">
      {isOpen && <ReasonForm label={label} {...rest} />}
    </Modal>
  )
}

function ReasonForm({ label, color, texts, decide }: Omit<ReasonDialogProps, 'isOpen' | 'close' | 'title'>) {
  const { reasons, first, about, maxLength } = texts
  const [{ code, message }, setReason] = useState<Reason>(reasons[first ?? -1] ?? { code: '', message: '' })
  return (
    <Form
      submit={() => decide({ code, message: message.trim() })}
      label={label}
      color={color}
      isReady={message.trim() !== ''}
    >
      <Chip.Group value={code} onChange={(chosen) => setReason(reasons.find((reason) => reason.code === chosen)!)}>
        <Group gap="xs" role="radiogroup" aria-label={t('Reason')}>
          {reasons.map((reason) => (
            <Chip key={reason.code} value={reason.code}>
              {reason.label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <TextArea
        label={t('Message to the owner')}
        description={about}
        required
        autosize
        minRows={2}
        data-autofocus
        maxLength={maxLength}
        value={message}
        onType={(text) => setReason({ code, message: text })}
      />
    </Form>
  )
}
