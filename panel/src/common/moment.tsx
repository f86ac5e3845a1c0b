import { locale } from '../translation/language.ts'
import { t } from '../translation/translate.ts'

export const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
export const SHORT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const AGO = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago a moment was, in words; days back to a week, then the date. */
function formatAgo(iso: string, soon: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000
  if (Math.abs(seconds) < 45) return seconds > 0 ? soon : t('just now')
  if (Math.abs(seconds) > 7 * 86_400) return SHORT.format(new Date(iso))
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['minute', 60]
  return AGO.format(Math.round(seconds / length), unit)
}

type MomentProps = { at: string | null | undefined; none?: string; soon?: string }

/**
 * A moment in words; `MomentTip` shows the exact instant on hover. `soon`: what is less than a minute ahead; absent: it
 * has happened, and only the clock of the service is ahead.
 */
export function Moment({ at, none = '–', soon = t('just now') }: MomentProps) {
  if (at === null || at === undefined) return <span className="dimmed">{none}</span>
  return (
    <time dateTime={at} className="moment">
      {formatAgo(at, soon)}
    </time>
  )
}
