import { createContext, use, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

/** What a key does, or two keys one after the other: `g a`. `mod+k` is Ctrl-K, or Cmd-K on a Mac. */
export type Binding = {
  keys: string
  does: string
  act: () => unknown
  /** True for a key that also works in a field and in a dialog. */
  isAlways?: true
}

const BUSY = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]'

const Bindings = createContext<ReadonlySet<RefObject<Binding[]>> | undefined>(undefined)

function useRegistry() {
  return use(Bindings) as Set<RefObject<Binding[]>>
}

const OFF = 'letters-off'

/** Whether letters act in this browser: a slip or a word that is dictated may press one (WCAG 2.1.4). */
export function areLettersOn(): boolean {
  return localStorage.getItem(OFF) === null
}

export function switchLetters(areOn: boolean): void {
  if (areOn) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'yes')
}

/**
 * Listens to the keyboard for the whole panel. A sequence that has begun takes the next key, whatever that does alone
 * and however late it comes.
 */
export function Keys({ children }: { children: ReactNode }) {
  const [registry] = useState(() => new Set<RefObject<Binding[]>>())
  useEffect(() => {
    let begun = ''
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat) return refuseRepeat(event)
      if (event.altKey || ['Shift', 'Control', 'Meta'].includes(event.key)) return
      const name = readKeyName(event)
      const keys = name.startsWith('mod+') ? name : begun + name
      const known = [...registry].flatMap(({ current }) => current).filter(isOn)
      const usable = isBusy(event.target) ? known.filter(({ isAlways }) => isAlways) : known
      const found = usable.find((binding) => binding.keys === keys)
      begun = usable.some((binding) => binding.keys.startsWith(`${keys} `)) ? `${keys} ` : ''
      if (found === undefined) return
      event.preventDefault()
      found.act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [registry])
  return <Bindings value={registry}>{children}</Bindings>
}

export function useKeys(bindings: Binding[]): void {
  const registry = useRegistry()
  const latest = useRef(bindings)
  latest.current = bindings
  useEffect(() => {
    registry.add(latest)
    return () => void registry.delete(latest)
  }, [registry])
}

export function useAllKeys(): Binding[] {
  return [...useRegistry()].flatMap(({ current }) => current)
}

/** A key that is held down presses a button once. */
function refuseRepeat(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}

/** Letters and signs can be switched off; arrows and Ctrl-K act always. */
function isOn({ keys }: Binding): boolean {
  return areLettersOn() || keys.split(' ').every((key) => key.length > 1)
}

function readKeyName({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  const name = shiftKey ? key : key.toLowerCase()
  return ctrlKey || metaKey ? `mod+${name}` : name
}

/** True where letters are text or choose something, and behind a dialog. */
function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest(BUSY) !== null) return true
  return document.querySelector('[aria-modal="true"]') !== null
}
