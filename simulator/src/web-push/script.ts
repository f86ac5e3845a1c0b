/** What the service does to requests, in order; each step takes as many as it says. */
export type WebPushStep = {
  /** Default 1; 0 = until the script is dropped. */
  times?: number
  /** Answered instead of the usual status. */
  status?: number
  headers?: Record<string, string>
  body?: string
  /** True: the push is accepted and in the log, whatever the answer is. Default: only if the status is below 400. */
  accept?: boolean
  /** The connection (HTTP/1.1) or stream (HTTP/2) is reset instead of an answer. */
  cut?: 'before-accepting' | 'after-accepting' | 'mid-body'
  /** The answer waits for it. */
  until?: Promise<unknown>
}

export type WebPushScript = { steps: { step: WebPushStep; taken: number }[] }

export function addSteps(script: WebPushScript, steps: readonly WebPushStep[]): void {
  script.steps.push(...steps.map((step) => ({ step, taken: 0 })))
}

export function takeStep({ steps }: WebPushScript): WebPushStep | undefined {
  const [first] = steps
  if (first === undefined) return undefined
  first.taken++
  if (first.step.times !== 0 && first.taken >= (first.step.times ?? 1)) steps.shift()
  return first.step
}

export function accepts({ accept, cut, status = 201 }: WebPushStep): boolean {
  return accept ?? (cut !== 'before-accepting' && status < 400)
}
