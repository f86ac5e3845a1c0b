import { inWords } from '../common/labels.tsx'

// What people have typed is shown as it is.
const HAVE_WORDS = new Set([
  'action',
  'audience',
  'condition',
  'decision',
  'reason_code',
  'resolution',
  'role',
  'status',
  'verdict',
  'verification',
])

/** The value of a field: a code in words, a text as it is, a list of texts with commas, and all else as JSON. */
export function writeValue(field: string, value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'string') return HAVE_WORDS.has(field) ? inWords(value) : value
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  return isList ? value.join(', ') : JSON.stringify(value)
}
