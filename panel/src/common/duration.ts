import { formatNumber, plural } from '../translation/translate.ts'

export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${formatNumber(Math.round(seconds / 360) / 10)} h`
  return plural(Math.round(seconds / 86_400), 'one day', '{count} days')
}
