import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord, isString, isWhole } from '../json.ts'
import { signIn, type World } from './actions.ts'
import type { Phone } from './phone.ts'
import { findTurn } from './kinds.ts'
import { addPhone, MOST_PHONES, openTrial } from './wall.ts'

/** A trial of the service: its API and panel, and who may sign in there. */
export type TrialStart = {
  /** `http://127.0.0.1:3000`, without a slash at its end. */
  api: string
  /** E-mail addresses of demonstration users. All of them have `password`. */
  people: string[]
  password: string
  /** How many of them get a phone at once. */
  phones: number
}

/** Puts phones on the wall and signs them in, one after another. A phone that cannot sign in says why. */
export async function startTrial(world: World, { api, people, password, phones }: TrialStart): Promise<void> {
  const first = people.slice(0, phones)
  openTrial(world.wall, { api, people: people.slice(phones), password })
  const { wall } = world
  const added = first.map((email, index) => addPhone(wall, findTurn(wall, index), { email, password }))
  for (const phone of added) await signInPatiently(world, phone)
}

/** Tries again as often as Swapbell asks to wait, as after starts within the same minute. */
async function signInPatiently(world: World, phone: Phone): Promise<void> {
  while (phone.session === null && world.wall.phones.get(phone.id) === phone) {
    const refused = await signIn(world, phone)
    if (refused?.waitSeconds === undefined) return
    await sleep(refused.waitSeconds * 1_000, undefined, { ref: false })
  }
}

/** Reads the message of `npm start` over IPC, `{ trial: … }`; undefined for any other message. */
export function readTrialStart(message: unknown): TrialStart | undefined {
  const trial = isRecord(message) ? message['trial'] : undefined
  if (!isRecord(trial)) return undefined
  const { api, people, password, phones } = trial
  return isString(api) &&
    URL.canParse(api) &&
    isString(password) &&
    isWhole(phones, 0, MOST_PHONES) &&
    Array.isArray(people) &&
    people.every(isString)
    ? { api, people, password, phones }
    : undefined
}
