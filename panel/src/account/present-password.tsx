import { PasswordField } from '../common/form.tsx'
import { t } from '../translation/translate.ts'

type PresentPasswordProps = { value: string; faults: string[] | undefined; onType: (text: string) => void }

export function PresentPassword(props: PresentPasswordProps) {
  return <PasswordField label={t('Present password')} autoComplete="current-password" {...props} />
}
