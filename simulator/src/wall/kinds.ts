import { inLine, reachable, register, type Impossible, type World } from './actions.ts'
import type { Phone } from './phone.ts'
import { KINDS, PLATFORMS_OF, type Kind, type Platform } from './push.ts'
import { renewToken, type Reach, type Wall } from './wall.ts'

/** Gives the kinds that the providers of this simulator allow, in one order. */
export function listKinds({ tokens }: Wall): Kind[] {
  return KINDS.filter((kind) => tokens[kind] !== undefined)
}

/** The kinds that a phone of a platform can have. */
export function listPlatformKinds(wall: Wall, platform: Platform): Kind[] {
  return listKinds(wall).filter((kind) => PLATFORMS_OF[kind].includes(platform))
}

// Some of each among the first phones; without other providers all are Expo's.
const TURNS: readonly Reach[] = [
  { platform: 'ios', kind: 'expo' },
  { platform: 'android', kind: 'expo' },
  { platform: 'ios', kind: 'apns' },
  { platform: 'android', kind: 'fcm' },
  { platform: 'web', kind: 'web' },
  { platform: 'ios', kind: 'apns' },
  { platform: 'android', kind: 'fcm' },
  { platform: 'ios', kind: 'apns-sandbox' },
]

export function findTurn(wall: Wall, index: number): Reach {
  const turns = TURNS.filter(({ kind }) => wall.tokens[kind] !== undefined)
  return turns[index % turns.length] ?? { platform: 'ios', kind: 'expo' }
}

/** Another version of the app has tokens of another provider. It registers the new one at once. */
export async function changeKind(world: World, phone: Phone, kind: Kind): Promise<Impossible | undefined> {
  return inLine(world, phone, async () => {
    if (phone.kind === kind) return undefined
    const trial = reachable(world, phone)
    if ('impossible' in trial) return trial
    phone.kind = kind
    renewToken(world.wall, phone)
    phone.note = 'The app has a token of another provider.'
    const { session } = phone
    return session
      ? register(trial, phone, session, 'The new token is registered: the next push comes by it.')
      : undefined
  })
}
