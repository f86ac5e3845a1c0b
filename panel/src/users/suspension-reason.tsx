import { TextArea } from '../common/form.tsx'
import { t } from '../translation/translate.ts'

export function SuspensionReason({ reason, setReason }: { reason: string; setReason: (reason: string) => void }) {
  return (
    <TextArea
      label={t('Reason')}
      description={t('Stored with the account. Other administrators see it.')}
      maxLength={1000}
      value={reason}
      onType={setReason}
      data-autofocus
    />
  )
}
