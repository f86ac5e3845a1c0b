import { inOwnWords } from '../api/messages.ts'
import { t } from '../translation/translate.ts'

const WHY: Readonly<Record<string, string>> = {
  OWN_ACCOUNT: t('your own account'),
  NO_RIGHT: t('a role that you may not change'),
  DELETED: t('deleted'),
  UNCHANGED: t('in this state already'),
  CHANGED_SINCE: t('changed by somebody else after it was selected'),
  SUSPENSION_OVER: t('the suspension would be over'),
  STALLED: t('the change made no progress and was ended'),
}

/** Why a change of many accounts left one as it was: a reason of its own, or what the change of one is refused for. */
export function whyNotChanged(code: string | null): string {
  return code === null ? t('unknown') : (WHY[code] ?? inOwnWords(code, code).message)
}
