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
function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000
  if (Math.abs(seconds) < 45) return t('just now')
  if (Math.abs(seconds) > 7 * 86_400) return SHORT.format(new Date(iso))
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['minute', 60]
  return AGO.format(Math.round(seconds / length), unit)
}

/** A moment in words; `MomentTip` shows the exact instant on hover. */
export function Moment({ at, none = '–' }: { at: string | null | undefined; none?: string }) {
  if (at === null || at === undefined) return <span className="dimmed">{none}</span>
  return (
    <time dateTime={at} className="moment">
      {formatAgo(at)}
    </time>
  )
}
