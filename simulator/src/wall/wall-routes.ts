import type { IncomingMessage, ServerResponse } from 'node:http'
import { readJson, sendJson, sendProblem } from '../json-body.ts'
import { isRecord, isString, isWhole } from '../json.ts'
import { currentMode, setDirectMode } from '../direct/doubles.ts'
import { addSteps } from '../script.ts'
import { readTime, type State } from '../state.ts'
import {
  closeApp,
  connect,
  deleteApp,
  dismiss,
  openApp,
  reinstall,
  signIn,
  signOut,
  tap,
  type Impossible,
  type World,
} from './actions.ts'
import { changeKind, listKinds, listPlatformKinds } from './kinds.ts'
import { isMode, MODES, setMode } from './modes.ts'
import type { Phone } from './phone.ts'
import { PLATFORMS_OF, type Kind } from './push.ts'
import { phoneView, toView } from './view.ts'
import { addPhone, MOST_PHONES, removePhone, watchRecent, type Reach } from './wall.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
type Body = Record<string, unknown>
type Action = (world: World, phone: Phone, body: Body) => Promise<Impossible | undefined>

const MOST_EMAIL = 254
const MOST_PASSWORD = 128

const ACTIONS: Record<string, Action> = {
  'sign-in': async (world, phone, body) => signIn(world, phone, accountIn(world, body, phone.account?.email)),
  'sign-out': signOut,
  reinstall,
  'delete-app': deleteApp,
  open: openApp,
  kind: async (world, phone, body) =>
    changeKind(world, phone, kindIn(body, listPlatformKinds(world.wall, phone.platform))),
  close: async (world, phone) => closeApp(world, phone),
  offline: async (world, phone) => connect(world, phone, false),
  online: async (world, phone) => connect(world, phone, true),
  tap: async (world, phone, body) => tap(world, phone, bannerIn(body)),
  dismiss: async (world, phone, body) => dismiss(world, phone, bannerIn(body)),
}

/** What serves the phones of the wall; undefined for a request that is for something else. */
export function createWallRoutes(state: State, world: World): (method: string, path: string) => Handler | undefined {
  return (method, path) => {
    const call = `${method} ${path}`
    if (call === 'GET /simulator/phones') return (_, response) => sendWall(state, response)
    if (call === 'POST /simulator/phones') return async (request, response) => add(world, request, response)
    if (call === 'POST /simulator/mode') return async (request, response) => changeMode(state, request, response)
    const [, id, action] = /^\/simulator\/phones\/(\d{1,9})(?:\/([a-z-]{1,20}))?$/.exec(path) ?? []
    if (id === undefined) return undefined
    if (method === 'DELETE' && action === undefined) return async (_, response) => remove(world, Number(id), response)
    if (method !== 'POST' || action === undefined || !Object.hasOwn(ACTIONS, action)) return undefined
    return async (request, response) => act(world, Number(id), ACTIONS[action], request, response)
  }
}

function sendWall(state: State, response: ServerResponse): void {
  watchRecent(state.wall)
  sendJson(response, 200, toView(state))
}

async function act(
  world: World,
  id: number,
  action: Action | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  const phone = world.wall.phones.get(id)
  if (!phone || !action) return sendProblem(response, 404, `There is no phone ${id}`)
  answer(world, response, { phone, status: 200 }, await action(world, phone, body))
}

/** Adds a phone and signs it in: as the next demonstration user, or as the account in the body. */
async function add(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  const { wall } = world
  const reach = reachIn(world, body)
  const account = accountIn(world, body)
  if (wall.trial === null)
    return sendProblem(response, 409, 'The simulator runs alone: there is no Swapbell to sign in to')
  if (wall.phones.size >= MOST_PHONES) return sendProblem(response, 409, `The wall has room for ${MOST_PHONES} phones`)
  const next = account ?? nextPerson(world)
  if (!next) return sendProblem(response, 409, 'Every demonstration user has a phone: give an email')
  const phone = addPhone(wall, reach, next)
  const failed = await signIn(world, phone)
  if (!failed) return answer(world, response, { phone, status: 201 }, undefined)
  // A phone on which nobody could sign in is of no use.
  removePhone(wall, phone)
  sendProblem(response, 409, failed.impossible)
}

/** Takes a phone off the wall; a user who is signed in is signed out before. */
async function remove(world: World, id: number, response: ServerResponse): Promise<void> {
  const phone = world.wall.phones.get(id)
  if (!phone) return sendProblem(response, 404, `There is no phone ${id}`)
  if (phone.session) await signOut(world, phone)
  removePhone(world.wall, phone)
  sendJson(response, 200, { ok: true })
}

async function changeMode(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { mode } = await readBody(request)
  if (!isMode(mode)) throw new TypeError(`mode must be one of ${MODES.join(', ')}`)
  setMode(state.script, mode, (step) => addSteps(state.script, [step]))
  if (state.direct) setDirectMode(state.direct, mode, readTime(state))
  sendJson(response, 200, { mode: currentMode(state), time: readTime(state) })
}

function answer(
  { wall }: World,
  response: ServerResponse,
  { phone, status }: { phone: Phone; status: number },
  failed: Impossible | undefined,
): void {
  if (failed) sendProblem(response, 409, failed.impossible)
  else sendJson(response, status, { phone: phoneView(wall, phone) })
}

/** An empty body is an empty object. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const value = await readJson(request, {})
  if (!isRecord(value)) throw new TypeError('The body must be an object')
  return value
}

/** The account in the body; without a password the demonstration's own. Undefined: none is named. */
function accountIn({ wall }: World, body: Body, known?: string): { email: string; password: string } | undefined {
  const { email = known, password = wall.trial?.password ?? '' } = body
  if (body['email'] === undefined && body['password'] === undefined) return undefined
  if (!isString(email) || email === '' || email.length > MOST_EMAIL)
    throw new TypeError(`email must be a text of 1 to ${MOST_EMAIL} characters`)
  if (!isString(password) || password.length > MOST_PASSWORD)
    throw new TypeError(`password must be a text of at most ${MOST_PASSWORD} characters`)
  return { email, password: password === '' ? (wall.trial?.password ?? '') : password }
}

function nextPerson({ wall: { trial } }: World): { email: string; password: string } | undefined {
  const email = trial?.people.shift()
  return trial && email !== undefined ? { email, password: trial.password } : undefined
}

/** Either may be left out: the other then tells, and of Expo's the first is an iPhone. */
function reachIn({ wall }: World, { platform, ...body }: Body): Reach {
  const kind =
    body['kind'] === undefined && platform !== 'web' ? 'expo' : kindIn({ kind: 'web', ...body }, listKinds(wall))
  const platforms = PLATFORMS_OF[kind]
  const found = platforms.find((one) => one === (platform ?? platforms[0]))
  if (found === undefined) throw new TypeError(`platform must be ${platforms.join(' or ')}`)
  return { platform: found, kind }
}

function kindIn({ kind }: Body, allowed: readonly Kind[]): Kind {
  const found = allowed.find((one) => one === kind)
  if (found === undefined) throw new TypeError(`kind must be one of ${allowed.join(', ')}`)
  return found
}

function bannerIn({ banner }: Body): number {
  if (!isWhole(banner, 1, Number.MAX_SAFE_INTEGER)) throw new TypeError('banner must be the key of a banner')
  return banner
}
