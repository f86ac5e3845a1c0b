import { locale } from '../translation/language.ts'

/** An amount in the smallest unit of its currency, in words. */
export function formatMoney(cents: number | null, currency: string): string {
  if (cents === null) return '–'
  return (cents / 100).toLocaleString(locale, { style: 'currency', currency })
}
