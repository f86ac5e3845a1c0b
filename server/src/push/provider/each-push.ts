import { hash } from 'node:crypto'
import { judgeSubmission } from './health.ts'
import type { Health, OnOutcome, Push, PushOutcome, SubmitAnswer } from './provider.ts'

/** `sign`: what it says of the provider; absent: the push was not allowed to leave. */
export type PushResult = { outcome: PushOutcome; wasSent: boolean; sign?: Health }

/** For providers that take a request for each push. */
export async function sendEach<Result extends { outcome: PushOutcome }>(
  pushes: Push[],
  send: (push: Push) => Promise<Result>,
  onOutcome: OnOutcome | undefined,
): Promise<Result[]> {
  const sending = pushes.map(async (push, place) => {
    const result = await send(push)
    onOutcome?.(place, result.outcome)
    return result
  })
  return Promise.all(sending)
}

/**
 * A UUID of a copy, the same on every attempt, so that its ticket is known before the answer, and also if none comes.
 * Apple takes it from us, and push services of browsers give none that is of use.
 */
export function toTicketId(provider: string, notificationId: number): string {
  const hex = hash('sha256', `${provider} ${notificationId}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** `signs`: of the provider besides those of the pushes. */
export function toSubmitAnswer(results: PushResult[], signs: Health[] = []): SubmitAnswer {
  return {
    outcomes: results.map(({ outcome }) => outcome),
    wasSent: results.map(({ wasSent }) => wasSent),
    health: judgeSubmission([...signs, ...results.flatMap(({ sign }) => sign ?? [])]),
  }
}
