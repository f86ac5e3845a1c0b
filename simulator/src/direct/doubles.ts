import type { ApnsDouble } from '../apns/apns.ts'
import type { Reason } from '../apns/reasons.ts'
import type { FaultName } from '../fcm/google-error.ts'
import type { FcmDouble } from '../fcm/fcm.ts'
import type { Http2Fault } from '../http2/faults.ts'
import type { Script } from '../script.ts'
import { findMode, SLOW_MS, type Mode } from '../wall/modes.ts'
import type { Kind } from '../wall/push.ts'
import type { WebPushDouble } from '../web-push/web-push.ts'

/** The doubles of the providers to which a service speaks directly. */
export type Direct = {
  apple: ApnsDouble
  google: FcmDouble
  browsers: WebPushDouble
  /** What PUSH_PROVIDERS_FILE names. */
  providersFile: string
  /** How they behave; those that lose one answer may have done it. */
  mode: Mode
  counts: { requests: number; refused: number }
}

/** What each answers in a mode, for as long as it lasts. */
const ANSWERS: Partial<Record<Mode, { apple: Reason; google: FaultName; browsers: number }>> = {
  down: { apple: 'ServiceUnavailable', google: 'UNAVAILABLE', browsers: 503 },
  'refuses-credentials': { apple: 'InvalidProviderToken', google: 'UNAUTHENTICATED', browsers: 403 },
  'dead-tokens': { apple: 'Unregistered', google: 'UNREGISTERED', browsers: 410 },
}

const FAULTS: Partial<Record<Mode, Http2Fault>> = {
  slow: { kind: 'slow', ms: SLOW_MS, times: 0 },
  'lost-answer': { kind: 'cut', by: 'reset', when: 'after' },
  silent: { kind: 'silent', when: 'before', times: 0 },
}

/** Drops what the doubles were told before. `now`: Unix milliseconds, the time in an answer that a phone is gone. */
export function setDirectMode(direct: Direct, mode: Mode, now: number): void {
  clearDirect(direct)
  direct.mode = mode
  const { apple, google, browsers } = direct
  const answers = ANSWERS[mode]
  if (answers) {
    apple.script([{ reason: answers.apple, since: now, times: 0 }])
    google.script([{ match: 'send', answer: answers.google, times: 0 }])
    browsers.script([{ status: answers.browsers, times: 0 }])
  }
  const fault = FAULTS[mode]
  if (!fault) return
  apple.production.script([fault])
  google.http2.script([fault])
  browsers.scriptFaults([fault])
  // Few phones are of the sandbox, and an answer would wait there to be lost.
  if (fault.times === 0) apple.sandbox.script([fault])
}

/** How Expo's service and the doubles behave: they are told the same. */
export function currentMode({ script, direct }: { script: Script; direct: Direct | null }): Mode {
  const mode = findMode(script)
  return mode === 'works' && direct !== null && isLosing(direct) ? direct.mode : mode
}

/** Whether one of them is still to lose an answer. */
function isLosing({ apple, google, browsers, mode }: Direct): boolean {
  return mode === 'lost-answer' && apple.production.faultsLeft() + google.http2.faultsLeft() + browsers.faultsLeft() > 0
}

export function clearDirect(direct: Direct): void {
  const { apple, google, browsers } = direct
  direct.mode = 'works'
  apple.clearScript()
  apple.production.clearScript()
  apple.sandbox.clearScript()
  google.clearScript()
  google.http2.clearScript()
  browsers.clearScript()
}

/** The app is deleted: pushes to its token are refused. Apple says since when. */
export function killDirect({ apple, google, browsers }: Direct, kind: Exclude<Kind, 'expo'>, token: string): void {
  if (kind === 'web') browsers.unsubscribe(token)
  else if (kind === 'fcm') google.setToken(token, 'UNREGISTERED')
  else apple.kill(token)
}

export async function closeDirect({ apple, google, browsers }: Direct): Promise<void> {
  await Promise.all([apple.close(), google.close(), browsers.close()])
}
