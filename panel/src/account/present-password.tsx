import { PasswordField } from '../common/form.tsx'
import { t } from '../translation/translate.ts'

type PresentPasswordProps = { value: string; faults: string[] | undefined; onType: (text: string) => void }

/** The password that one has now: what changes an account asks for it. */
export function PresentPassword(props: PresentPasswordProps) {
  return <PasswordField label={t('Present password')} autoComplete="current-password" {...props} />
}
