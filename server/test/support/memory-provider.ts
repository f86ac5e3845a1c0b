import type { Instance } from '../../src/push/provider/configured-providers.ts'
import { describeExpo, type ListInstances } from '../../src/push/provider/registry.ts'
import type { ErrorCode, Provider, Push, SubmitAnswer } from '../../src/push/provider/provider.ts'

/** A provider without a network: what it accepted, and how it fails when it is told to. */
export type MemoryProvider = {
  provider: Provider
  requests: Push[][]
  /** The notifications that it accepted, each with its ticket, in their order. */
  accepted: { notificationId: number; ticketId: string }[]
  /** What every request from now on is refused with; undefined: it accepts. */
  fail(code: ErrorCode | undefined): void
}

/** A provider as it is configured beside Expo's; `over`: its type, app, environment or rate. */
export function describeProvider(provider: Provider, over: Partial<Instance> = {}): Instance {
  return {
    name: provider.name,
    place: provider.name,
    placeSetting: 'address',
    key: 'key_file',
    tokenType: 'expo',
    app: null,
    environment: null,
    ratePerSecond: 0,
    shares: { kind: 'memory', key: 'key' },
    create: () => provider,
    ...over,
  }
}

export function besideExpo(provider: Provider): ListInstances {
  return (config) => [describeExpo(config), describeProvider(provider)]
}

const PREFIX = 'memory:'

/** A push token of its form. */
export function memoryToken(name: string): string {
  return `${PREFIX}${name}`
}

/** A provider that knows of delivery at once, and takes up to `maxPushes` in a request. */
export function createMemoryProvider({ maxPushes }: { maxPushes: number }): MemoryProvider {
  const requests: Push[][] = []
  const accepted: MemoryProvider['accepted'] = []
  let failure: ErrorCode | undefined
  const provider: Provider = {
    name: 'memory',
    deliveryKnown: 'at once',
    maxPushes,
    platforms: ['ios', 'android'],
    owns: (token) => token.startsWith(PREFIX),
    payloadBytes: ({ content }) => Buffer.byteLength(JSON.stringify(content)),
    submit: (pushes) => {
      if (failure !== undefined) return Promise.resolve(refusal(pushes, failure))
      requests.push(pushes)
      const tickets = pushes.map(({ notificationId }) => ({ notificationId, ticketId: `memory-${notificationId}` }))
      accepted.push(...tickets)
      const outcomes = tickets.map(({ ticketId }) => ({ kind: 'accepted' as const, ticketId }))
      return Promise.resolve({ outcomes, wasSent: pushes.map(() => true), health: { kind: 'healthy' } })
    },
    probe: () => Promise.resolve(failure === undefined ? { kind: 'healthy' } : { kind: 'failing', code: failure }),
    close: () => Promise.resolve(),
  }
  const fail = (code: ErrorCode | undefined) => void (failure = code)
  return { provider, requests, accepted, fail }
}

function refusal(pushes: Push[], code: ErrorCode): SubmitAnswer {
  return {
    outcomes: pushes.map(() => ({ kind: 'refused', code, retry: true })),
    wasSent: pushes.map(() => code !== 'ProviderUnavailable'),
    health: code === 'ProviderUnavailable' ? { kind: 'failing', code } : { kind: 'misconfigured', code },
  }
}
