/** A push to a phone that is off. `expiresAt`: Unix ms; 0: it is not kept. */
export type WaitingPush = {
  token: string
  topic: string
  apnsId: string
  collapseId: string | null
  expiresAt: number
  payload: Record<string, unknown>
}

export type Waiting = ReturnType<typeof createWaiting>

/** Apple keeps the latest push of each app and phone. */
export function createWaiting() {
  const kept = new Map<string, WaitingPush>()
  return {
    keep: (push: WaitingPush) => void (push.expiresAt > 0 && kept.set(`${push.topic} ${push.token}`, push)),
    /** The pushes of a phone that is on again, which are kept no longer. */
    take: (token: string, now: number): WaitingPush[] => {
      const own = [...kept].filter(([, push]) => push.token === token)
      for (const [key] of own) kept.delete(key)
      return own.map(([, push]) => push).filter(({ expiresAt }) => expiresAt > now)
    },
  }
}
