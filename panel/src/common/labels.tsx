import type { CSSProperties, ReactNode } from 'react'
import { translateText, t } from '../translation/translate.ts'

const COLOURS: Record<string, string> = {
  active: 'green',
  verified: 'green',
  completed: 'green',
  delivered: 'green',
  closed: 'green',
  sending: 'blue',
  queued: 'blue',
  pending: 'blue',
  running: 'blue',
  reserved: 'blue',
  paused: 'yellow',
  suspended: 'yellow',
  changes_requested: 'yellow',
  half_open: 'yellow',
  platform_paused: 'yellow',
  busy: 'yellow',
  failing: 'orange',
  in_review: 'yellow',
  open: 'orange',
  banned: 'red',
  stopped: 'red',
  rejected: 'red',
  removed: 'red',
  halted: 'red',
  failed: 'red',
}

export function State({ of }: { of: string }) {
  return <Tag color={COLOURS[of] ?? 'gray'}>{inWords(of)}</Tag>
}

/** A word on a coloured ground that can be read in light and dark. */
export function Tag({ color, children }: { color: string; children: ReactNode }) {
  const style = {
    '--tag-color': `var(--mantine-color-${color}-7)`,
    '--tag-ground': `var(--mantine-color-${color}-light)`,
  } as CSSProperties
  return (
    <span className="tag" style={style}>
      {children}
    </span>
  )
}

/** A code of the API in words, in the language of the panel: `changes_requested` → `changes requested`. */
export function inWords(code: string): string {
  return translateText(code.replaceAll('_', ' '))
}

export function phoneWord(platform: 'ios' | 'android' | 'web' | 'unknown'): string {
  return { ios: 'iPhone', android: 'Android', web: t('Browser'), unknown: t('Phone') }[platform]
}

export function toOptions<const Code extends string>(codes: readonly Code[]): { value: Code; label: string }[] {
  return codes.map((code) => ({ value: code, label: inWords(code) }))
}
