import type { Health, Provider, Push, PushOutcome } from '../../src/push/provider/provider.ts'
import type { Instance } from '../../src/push/provider/configured-providers.ts'
import { describeExpo } from '../../src/push/provider/registry.ts'
import { describeProvider } from './memory-provider.ts'
import { startService } from './service.ts'

type Address = Pick<Instance, 'tokenType' | 'app' | 'environment'>

/** A provider without a network that answers as a test says. */
export type ScriptedProvider = {
  instance: Instance
  /** What it was given, in order. */
  pushes: Push[]
  answer(outcome: ((push: Push) => PushOutcome) | undefined): void
  feel(health: Health): void
}

/** A push token of a scripted provider. */
export function scriptedToken({ tokenType }: Address, name: string): string {
  return `${tokenType}-token:${name}`
}

export function createScriptedProvider(address: Address, platform: Provider['platforms'][0]): ScriptedProvider {
  const name = [address.tokenType, address.app, address.environment].filter((part) => part !== null).join('/')
  const pushes: Push[] = []
  let outcome: (push: Push) => PushOutcome = accept
  let health: Health = { kind: 'healthy' }
  const provider: Provider = {
    name,
    deliveryKnown: 'at once',
    platforms: [platform],
    maxPushes: 500,
    needsProven: true,
    owns: (token) => token.toLowerCase().startsWith(`${address.tokenType}-token:`),
    toStored: (token) => token.replace(/^.*:/, (prefix) => prefix.toLowerCase()),
    payloadBytes: ({ content }) => Buffer.byteLength(JSON.stringify(content)),
    submit: (asked) => {
      pushes.push(...asked)
      return Promise.resolve({ outcomes: asked.map(outcome), wasSent: asked.map(() => true), health })
    },
    probe: () => Promise.resolve(health),
    close: () => Promise.resolve(),
  }
  return {
    instance: describeProvider(provider, address),
    pushes,
    answer: (given = accept) => void (outcome = given),
    feel: (given) => void (health = given),
  }
}

/** A service with five providers: Expo, Apple twice, Google, and browsers. */
export async function startFiveProviders() {
  const production = createScriptedProvider({ tokenType: 'apns', app: 'swapbell', environment: 'production' }, 'ios')
  const sandbox = createScriptedProvider({ tokenType: 'apns', app: 'swapbell', environment: 'sandbox' }, 'ios')
  const google = createScriptedProvider({ tokenType: 'fcm', app: 'swapbell', environment: null }, 'android')
  const browsers = createScriptedProvider({ tokenType: 'web', app: 'swapbell', environment: null }, 'web')
  const others = [production, sandbox, google, browsers].map(({ instance }) => instance)
  const service = await startService({}, { registry: (config) => [describeExpo(config), ...others] })
  return { service, production, sandbox, google, browsers }
}

function accept({ notificationId }: Push): PushOutcome {
  return { kind: 'accepted', ticketId: `t-${notificationId}` }
}
