import type { FaultStep, Script } from '../script.ts'

/** How the provider behaves; the page has a button for each. */
export const MODES = ['works', 'slow', 'lost-answer', 'silent', 'down', 'refuses-credentials', 'dead-tokens'] as const

export type Mode = (typeof MODES)[number]

export const SLOW_MS = 3_000
// Longer than any sender waits.
const SILENT_MS = 600_000

/** The step of a script that each mode is. `lost-answer` is for one request, the others last until the next mode. */
const STEPS: Record<Exclude<Mode, 'works'>, FaultStep> = {
  slow: { times: 0, delayMs: SLOW_MS },
  'lost-answer': { match: 'send', times: 1, status: 504, accept: true },
  silent: { times: 0, status: 504, accept: false, delayMs: SILENT_MS },
  down: { times: 0, status: 503 },
  'refuses-credentials': {
    times: 0,
    status: 401,
    errors: [{ code: 'UNAUTHORIZED', message: 'The access token is not valid' }],
  },
  'dead-tokens': { match: 'send', times: 0, ticketErrors: { '*': 'DeviceNotRegistered' } },
}

export function isMode(value: unknown): value is Mode {
  return (MODES as readonly unknown[]).includes(value)
}

/** The mode whose step waits in the script. */
export function findMode(script: Script): Mode {
  for (const mode of MODES) if (mode !== 'works' && script.steps.some(({ step }) => step === STEPS[mode])) return mode
  return 'works'
}

/** Drops the step of the mode before and adds that of `mode`; other steps of the script stay. */
export function setMode(script: Script, mode: Mode, add: (step: FaultStep) => void): void {
  const ours = new Set<FaultStep>(Object.values(STEPS))
  script.steps = script.steps.filter(({ step }) => !ours.has(step))
  if (mode !== 'works') add(STEPS[mode])
}
