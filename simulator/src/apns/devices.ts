import type { Environment } from './provider-token.ts'
import type { Reason } from './reasons.ts'

/**
 * How Apple treats a device's token. `reason`: the answer to each push; `since`: the time in a 410, Unix ms; `topic`:
 * the app that it is of; `isAway`: the phone is off, and keeps the latest push of each app.
 */
export type Device = { environment?: Environment; topic?: string; reason?: Reason; since?: number; isAway?: boolean }

export type Devices = ReturnType<typeof createDevices>

/** The first digits of tokens of apps in development. */
export const SANDBOX_PREFIX = '5a4db0c5'

/** The first eight digits of tokens that nobody set. Others are of a good phone in production. */
const BY_PREFIX: Readonly<Record<string, Device>> = {
  [SANDBOX_PREFIX]: { environment: 'sandbox' },
  badbadba: { reason: 'BadDeviceToken' },
  deadbeef: { reason: 'Unregistered' },
  f00dface: { reason: 'DeviceTokenNotForTopic' },
  // No device has it: it is the token of a probe.
  '01234567': { reason: 'BadDeviceToken' },
}

export function createDevices() {
  const set = new Map<string, Device>()
  const find = (token: string): Device => set.get(token) ?? BY_PREFIX[token.slice(0, 8)] ?? {}
  /** What Apple says of a push to the token; undefined: it takes it. */
  const refuse = (token: string, to: { environment: Environment; topic: string }): Reason | undefined => {
    const { environment = 'production', topic, reason } = find(token)
    if (environment !== to.environment) return 'BadDeviceToken'
    if (topic !== undefined && topic !== to.topic) return 'DeviceTokenNotForTopic'
    return reason
  }
  return { set: (token: string, device: Device) => void set.set(token, device), find, refuse }
}
