import type { Answer } from './app-calls.ts'
import { defer, setOnline, takeBanner, wipe, type Banner, type Phone, type Session } from './phone.ts'
import { NAMES, noteDisplay, renewToken, type Trial, type Wall } from './wall.ts'

/** What an action needs besides the phone. */
export type World = {
  wall: Wall
  /** Unix milliseconds. */
  now(): number
  /** The provider refuses pushes to its token from now on: its app was deleted. */
  killToken(phone: Phone): void
}

/** An action that is not possible now; the message says why, and `waitSeconds` when it may be. */
export type Impossible = { impossible: string; waitSeconds?: number }

type Account = { email: string; password: string }

const MOST_IN_LINE = 20
const NO_CONNECTION = 'No connection: the app will tell Swapbell when the phone is online again.'

/** Signs in on a phone, as its own account or as another, and registers the phone for pushes. */
export async function signIn(world: World, phone: Phone, other?: Account): Promise<Impossible | undefined> {
  return inLine(world, phone, async () => {
    if (other) phone.account = other
    const trial = reachable(world, phone)
    if ('impossible' in trial) return trial
    if (phone.account === null) return { impossible: 'This phone is only watched: nobody signs in on it.' }
    if (phone.session) await leave(trial, phone, phone.session)
    const answer = await trial.calls.logIn(phone.account.email, phone.account.password)
    if ('problem' in answer) {
      const { problem, waitSeconds } = answer
      return { impossible: (phone.note = `Not signed in. ${problem}`), ...(waitSeconds && { waitSeconds }) }
    }
    const session = answer.data
    phone.session = session
    if (phone.deviceId === null) {
      phone.deviceId = freeDeviceId(world.wall, session.userId)
      phone.name = `${session.name.split(' ', 1)[0]}’s ${NAMES[phone.platform]}`
    }
    return register(trial, phone, session, `Signed in as ${session.name}; registered for pushes.`)
  })
}

/** Signs out: the session ends and the phone gets no more pushes for this account. */
export async function signOut(world: World, phone: Phone): Promise<Impossible | undefined> {
  return inLine(world, phone, async () => {
    const trial = reachable(world, phone)
    if ('impossible' in trial) return trial
    if (!phone.session) return { impossible: 'Nobody is signed in on this phone.' }
    const problem = await leave(trial, phone, phone.session)
    phone.note =
      problem === undefined ? 'Signed out: Swapbell sends this phone nothing more.' : `Signed out. ${problem}`
    return undefined
  })
}

/** Removes the app. Swapbell gets no notice: the next push shows that the device is gone. */
export async function deleteApp(world: World, phone: Phone): Promise<Impossible | undefined> {
  return inLine(world, phone, async () => {
    if (!phone.hasApp) return { impossible: 'There is no app on this phone.' }
    world.killToken(phone)
    wipe(phone)
    phone.hasApp = false
    phone.note = 'The app is deleted. Swapbell does not know yet: the next push will tell it.'
    return undefined
  })
}

/** Deletes and installs the app: a new push token, and the same user signs in again. */
export async function reinstall(world: World, phone: Phone): Promise<Impossible | undefined> {
  if (phone.account === null) return { impossible: 'This phone is only watched: nothing is installed on it.' }
  const done = await inLine(world, phone, async () => {
    world.killToken(phone)
    renewToken(world.wall, phone)
    wipe(phone)
    phone.hasApp = true
    phone.note = 'Installed again, with a new push token.'
    return undefined
  })
  return done ?? (phone.isOnline ? signIn(world, phone) : undefined)
}

/** Opens the app from its icon: it registers the phone, as at every launch, and reads the unread count. */
export async function openApp(world: World, phone: Phone): Promise<Impossible | undefined> {
  return inLine(world, phone, async () => {
    if (!phone.hasApp) return { impossible: 'There is no app on this phone.' }
    const { session } = phone
    phone.screen = { heading: 'Swapbell', link: null, lines: [] }
    const { screen } = phone
    if (!session) screen.lines = ['Nobody is signed in.']
    const trial = reachable(world, phone)
    if (!session) return undefined
    if ('impossible' in trial) {
      screen.lines = [trial.impossible]
      return undefined
    }
    await register(trial, phone, session, 'The app was opened and registered the phone.')
    const unread = phone.session ? understood(phone, await trial.calls.countUnread(session)) : undefined
    screen.lines = [
      `Signed in as ${session.name}.`,
      ...(unread === undefined ? [] : [`${unread} unread in the inbox.`]),
    ]
    return undefined
  })
}

/** Taps a banner: it disappears, the app opens at its deep link, and reports to Swapbell that it was opened. */
export async function tap(world: World, phone: Phone, key: number): Promise<Impossible | undefined> {
  const banner = takeBanner(phone, key)
  if (!banner) return { impossible: 'This banner is not there any more.' }
  const screen = { heading: banner.title ?? 'Swapbell', link: banner.link, lines: [] as string[] }
  phone.screen = screen
  return tell(world, phone, banner, (said) => (screen.lines = [said]), {
    call: async (trial, session, id) => trial.calls.markRead(session, id),
    done: 'Swapbell recorded that it was opened.',
  })
}

/** Dismisses a banner, and reports it to Swapbell. */
export async function dismiss(world: World, phone: Phone, key: number): Promise<Impossible | undefined> {
  const banner = takeBanner(phone, key)
  if (!banner) return { impossible: 'This banner is not there any more.' }
  return tell(world, phone, banner, (said) => (phone.note = said), {
    call: async (trial, session, id) => trial.calls.report(session, id, 'dismissed'),
    done: 'Dismissed, and Swapbell recorded it.',
  })
}

/** Leaves the app: the banners show again. */
export function closeApp({ wall }: World, phone: Phone): undefined {
  phone.screen = null
  wall.changed.add(phone.id)
}

/** Takes a phone offline, or back: then waiting pushes are shown and waiting calls are made. */
export async function connect(world: World, phone: Phone, isOnline: boolean): Promise<Impossible | undefined> {
  const { wall } = world
  const before = wall.nextKey
  setOnline(phone, isOnline, world.now(), () => wall.nextKey++)
  wall.changed.add(phone.id)
  for (const { key, notificationId } of phone.banners) if (key >= before) noteDisplay(wall, phone, notificationId)
  if (!isOnline) return undefined
  const calls = phone.deferred.splice(0)
  if (calls.length === 0) return undefined
  return inLine(world, phone, async () => {
    for (const call of calls) await call()
    return undefined
  })
}

/** Tells Swapbell that a banner was shown; what it answers matters only when the session has ended. */
export async function reportDisplay({ wall: { trial } }: World, phone: Phone, notificationId: string): Promise<void> {
  if (trial && phone.session && phone.isOnline)
    understood(phone, await trial.calls.report(phone.session, notificationId, 'shown'))
}

type Telling = { call(trial: Trial, session: Session, id: string): Promise<Answer<void>>; done: string }

/** Makes a call about a banner, at once or when the phone is online again, and reports the result. */
async function tell(world: World, phone: Phone, banner: Banner, say: (text: string) => void, { call, done }: Telling) {
  const { wall } = world
  const { notificationId: id } = banner
  wall.changed.add(phone.id)
  const { session } = phone
  if (wall.trial === null || !session || id === null) {
    say(wall.trial === null ? 'Nobody is told: the simulator runs alone.' : 'Nobody is signed in, so nobody is told.')
    return undefined
  }
  const make = async () => {
    const trial = reachable(world, phone)
    if ('impossible' in trial) return say(trial.impossible)
    const answer = await call(trial, session, id)
    understood(phone, answer)
    say('problem' in answer ? `Swapbell was not told. ${answer.problem}` : done)
  }
  if (!phone.isOnline) {
    say(NO_CONNECTION)
    defer(phone, make)
    return undefined
  }
  return inLine(world, phone, async () => {
    await make()
    return undefined
  })
}

export async function register(
  trial: Trial,
  phone: Phone,
  session: Session,
  done: string,
): Promise<Impossible | undefined> {
  const { token, platform, kind } = phone
  const deviceId = phone.deviceId ?? `phone-${session.userId}-1`
  const answer = await trial.calls.registerPhone(session, { token, deviceId, platform, kind })
  understood(phone, answer)
  if (!('problem' in answer)) phone.note = done
  else if (phone.session) phone.note = `Not registered for pushes. ${answer.problem}`
  return 'problem' in answer ? { impossible: phone.note ?? answer.problem } : undefined
}

/** The phone forgets the user in any case. Returns what went wrong, if something did. */
async function leave(trial: Trial, phone: Phone, session: Session): Promise<string | undefined> {
  const answer = await trial.calls.logOut(session, phone.deviceId ?? '')
  wipe(phone)
  return 'problem' in answer && answer.status !== 401 ? answer.problem : undefined
}

/** The data of an answer. A session that Swapbell has ended signs the phone out. */
function understood<T>(phone: Phone, answer: Answer<T>): T | undefined {
  if (!('problem' in answer)) return answer.data
  if (answer.status === 401) {
    phone.session = null
    phone.note = 'Swapbell has ended this session: the app is signed out.'
  }
  return undefined
}

export function reachable({ wall }: World, phone: Phone): Trial | Impossible {
  if (wall.trial === null) return { impossible: 'The simulator runs alone: there is no Swapbell to talk to.' }
  if (!phone.hasApp) return { impossible: 'There is no app on this phone.' }
  return phone.isOnline ? wall.trial : { impossible: 'The phone is offline.' }
}

/** The id of the phone that the demonstration data gave the user, or the next that no phone of the wall has. */
function freeDeviceId({ phones }: Wall, userId: number): string {
  const taken = new Set([...phones.values()].map(({ deviceId }) => deviceId))
  let number = 1
  while (taken.has(`phone-${userId}-${number}`)) number++
  return `phone-${userId}-${number}`
}

/** Runs the calls of one phone one after another. */
export async function inLine(
  { wall }: World,
  phone: Phone,
  work: () => Promise<Impossible | undefined>,
): Promise<Impossible | undefined> {
  const { line } = phone
  if (line.waiting >= MOST_IN_LINE) return { impossible: 'The phone is busy.' }
  line.waiting++
  wall.changed.add(phone.id)
  const done = line.last.then(work).finally(() => {
    line.waiting--
    wall.changed.add(phone.id)
  })
  line.last = done.catch(() => undefined)
  return done
}
