import { Moment } from '../common/moment.tsx'
import { rich, t } from '../translation/translate.ts'

/** When something is tried again; null: it is not known. */
export function NextTry({ at }: { at: string | null }) {
  if (at !== null && Date.parse(at) <= Date.now()) return t('next try is due')
  return rich('next try {when}', { when: <Moment key="when" at={at} soon={t('within a minute')} /> })
}
