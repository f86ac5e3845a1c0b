import { SANDBOX_PREFIX } from '../apns/devices.ts'
import { createPublicKey, randomBytes } from 'node:crypto'
import { startApnsDouble } from '../apns/apns.ts'
import { startFcm } from '../fcm/fcm.ts'
import type { Watch } from '../http2/double.ts'
import { appendLog } from '../send.ts'
import { readTime, type State } from '../state.ts'
import type { Provider } from '../wall/push.ts'
import { noteRequest } from '../wall/traffic.ts'
import { arrive } from '../wall/wall.ts'
import { startWebPush } from '../web-push/web-push.ts'
import type { Direct } from './doubles.ts'
import { APPLE_KEY_ID, choosePorts, keepKeys, keepPorts, type Keys, type Ports } from './kept.ts'
import { TEAM, TOPIC, writeProvidersFile } from './providers-file.ts'

/** Starts the doubles, whose pushes reach the wall and are in the ledger of all, and writes what a service needs. */
export async function openDirect(state: State, folder: string): Promise<Direct> {
  const { providersPort, browserHosts } = state.options
  const [keys, ports] = await Promise.all([keepKeys(folder), choosePorts(folder, providersPort)])
  const counts = { requests: 0, refused: 0 }
  const doubles = await startDoubles(state, { keys, ports, counts })
  const { apple, google, browsers } = doubles
  const places = {
    production: apple.production.url,
    sandbox: apple.sandbox.url,
    google: google.url,
    googleTokens: google.tokenUrl,
    browsers: browsers.url,
  }
  const providersFile = await writeProvidersFile(folder, places, browserHosts)
  await keepPorts(folder, places)
  offerTokens(state, doubles, keys)
  return { ...doubles, providersFile, mode: 'works', counts }
}

type Doubles = Pick<Direct, 'apple' | 'google' | 'browsers'>
type Given = { keys: Keys; ports: Ports; counts: Direct['counts'] }

async function startDoubles(state: State, { keys, ports, counts }: Given): Promise<Doubles> {
  const { ledger, wall } = state
  const now = () => readTime(state)
  const common = { ledger, latencyMs: state.options.latencyMs }
  const take = (provider: Provider) => (token: string, fields: object) =>
    arrive(wall, { provider, time: now(), token, fields: { ...fields } })
  const [takeApple, takeGoogle] = [take('apns'), take('fcm')]
  const [apple, google, browsers] = await Promise.all([
    startApnsDouble({
      ...common,
      now,
      keys: [{ team: TEAM, keyId: APPLE_KEY_ID, key: keys.apple }],
      topics: [TOPIC],
      ports,
      watch: createWatch(state, 'apns', counts),
      onPush: (push) => takeApple(push.token, push),
    }),
    startFcm({
      // Google's clock is the machine's: its own library, which senders use, knows no other.
      ...common,
      credentials: keys.google,
      port: ports.google,
      tokenPort: ports.googleTokens,
      watch: createWatch(state, 'fcm', counts),
      onMessage: (message) => takeGoogle(message.to, message),
    }),
    startWebPush({ ...common, now, port: ports.browsers, watch: createWatch(state, 'web', counts) }),
  ])
  return { apple, google, browsers }
}

/** Tells the wall what was asked of a double, and the log file what it accepted, before it answers. */
function createWatch(state: State, provider: Provider, counts: Direct['counts']): Watch {
  const { ledger, wall } = state
  return () => {
    const before = { count: ledger.count, duplicates: ledger.duplicates }
    const done = { accepted: 0, copies: 0 }
    return {
      taken: () => {
        done.accepted = ledger.count - before.count
        done.copies = ledger.duplicates - before.duplicates
        appendLog(state, before.count)
      },
      ended: ({ answer, waitMs }) => {
        const refused = typeof answer === 'number' && answer >= 400 ? 1 : 0
        counts.requests++
        counts.refused += refused
        noteRequest(wall.traffic, { provider, route: 'send', answer, waitMs, ...done, refused }, readTime(state))
      },
    }
  }
}

/** Phones of the wall get tokens as apps and pages do. */
function offerTokens(state: State, { browsers }: Doubles, keys: Keys): void {
  const { wall } = state
  const applicationServerKey = toPoint(keys.browsers)
  const subscribe = () => {
    const token = browsers.subscribe({
      applicationServerKey,
      onPush: ({ time, ...push }) => arrive(wall, { provider: 'web', time, token, fields: push }),
    })
    return token
  }
  Object.assign(wall.tokens, {
    apns: () => randomBytes(32).toString('hex'),
    'apns-sandbox': () => `${SANDBOX_PREFIX}${randomBytes(28).toString('hex')}`,
    fcm: () => `${randomBytes(16).toString('base64url')}:APA91b${randomBytes(96).toString('base64url')}`,
    web: subscribe,
  })
}

/** The public half of a key as a page gives it to its browser. */
function toPoint(privateKey: string): string {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return Buffer.concat(point).toString('base64url')
}
