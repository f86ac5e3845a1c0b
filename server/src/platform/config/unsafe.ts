import type { Config } from './config.ts'
import { measureCover, isNetwork } from './cidr.ts'
import { faultOfDatabaseUrl, isRemote, readTls } from './database-url.ts'
import { isGuessablePassword, isGuessableSecret } from '../secrets/guesses.ts'
import { mailFaults } from './mail-settings.ts'
import { switchedOff } from './request-limits.ts'
import { parseJson, readField } from '../shared/json.ts'
import { isLoopback } from '../shared/networks.ts'
import { isMailAddress } from '../shared/plain-text.ts'
import { isLongPassword } from '../secrets/password-length.ts'
import { RISKS, SETTINGS } from './settings.ts'

const SECRETS = [
  'JWT_SECRET',
  'JWT_PREVIOUS_SECRET',
  'AUDIT_SECRET',
  'AUDIT_PREVIOUS_SECRET',
  'SECOND_FACTOR_SECRET',
  'SECOND_FACTOR_PREVIOUS_SECRET',
  'SUBSCRIPTION_WEBHOOK_SECRET',
] as const
const SECRET_BYTES = 32
// A sixteenth of a range of addresses: far more than all private networks together.
const PROXIES_MOST = 1 / 16

export function* unsafeSettings(config: Config): Generator<string> {
  yield* everywhere(config)
  yield* realtimeFaults(config)
  yield* mailFaults(config)
  yield* config.NODE_ENV === 'production' ? inProduction(config) : outside(config)
}

function* everywhere(config: Config): Generator<string> {
  const databaseFault = faultOfDatabaseUrl(config.DATABASE_URL)
  if (databaseFault !== undefined) yield `DATABASE_URL ${databaseFault}`
  if (config.JWT_SECRET === '') yield 'JWT_SECRET must be set, 32 bytes or more.'
  for (const [name, values] of listSecrets(config))
    if (values.some((value) => Buffer.byteLength(value) < SECRET_BYTES)) yield `${name} must be 32 bytes or more.`
  for (const name of ['JWT_SECRET', 'AUDIT_SECRET', 'SECOND_FACTOR_SECRET'] as const)
    if (config[name].includes('|')) yield `${name} must not contain |, which separates secrets before rotations.`
  if ((config.ADMIN_EMAIL === '') !== (config.ADMIN_PASSWORD === ''))
    yield 'ADMIN_EMAIL and ADMIN_PASSWORD must be set together.'
  if (config.ADMIN_EMAIL !== '' && !isMailAddress(config.ADMIN_EMAIL))
    yield 'ADMIN_EMAIL must be an e-mail address in ASCII.'
  if (config.ADMIN_PASSWORD !== '' && !isLongPassword(config.ADMIN_PASSWORD))
    yield 'ADMIN_PASSWORD must have 12 characters or more.'
  if (
    !/^(?:https?:\/\/.+)?$/.test(config.OTEL_EXPORTER_OTLP_ENDPOINT) ||
    (config.OTEL_EXPORTER_OTLP_ENDPOINT !== '' && !URL.canParse(config.OTEL_EXPORTER_OTLP_ENDPOINT))
  )
    yield 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http:// or https://.'
  if (!config.TRUSTED_PROXIES.every(isNetwork)) yield 'TRUSTED_PROXIES must be addresses or CIDR networks.'
  if (!config.ACCEPTED_RISKS.every((name) => RISKS.some((risk) => risk === name)))
    yield `ACCEPTED_RISKS must be some of ${RISKS.join(', ')}, separated by commas.`
  if (!config.LINK_SCHEMES.every((scheme) => /^[a-z][a-z0-9+.-]*$/i.test(scheme)))
    yield 'LINK_SCHEMES must be schemes such as swapbell, without a colon.'
  if (config.LINK_SCHEMES.every((scheme) => /^https?$/i.test(scheme)))
    yield 'LINK_SCHEMES must contain a scheme of the app, such as swapbell.'
  // Its requests may begin within the rest of the lease.
  if (config.PUSH_LEASE_SECONDS < config.PUSH_TIMEOUT_SECONDS * 1.5)
    yield 'PUSH_LEASE_SECONDS must be at least one and a half times PUSH_TIMEOUT_SECONDS.'
  if (config.PUSH_PROVIDER === 'simulator' && config.EXPO_BASE_URL === SETTINGS.EXPO_BASE_URL.fallback)
    yield 'EXPO_BASE_URL must be the address of the simulator when PUSH_PROVIDER is the simulator.'
  if (config.METRICS_PORT !== 0 && config.METRICS_PORT === config.PORT && config.PROCESS !== 'worker')
    yield 'METRICS_PORT must not be PORT: the metrics are not for the public.'
  if (!config.APPROVALS.every((name) => APPROVABLE.includes(name)))
    yield `APPROVALS must be some of ${APPROVABLE.join(', ')}, separated by commas.`
  if (config.APPROVALS.length > 0 && !config.APPROVALS.includes('roles'))
    yield 'APPROVALS must include roles: without it an administrator makes the second administrator.'
  if (config.PANEL_ORIGIN !== '' && !isPanelOrigin(config.PANEL_ORIGIN))
    yield 'PANEL_ORIGIN must be an origin with a host name, such as https://panel.example.com; http only for localhost.'
}

const APPROVABLE: readonly string[] = ['sends', 'bulk-changes', 'roles']

function* realtimeFaults(config: Config): Generator<string> {
  const { FIREBASE_DATABASE_URL: address, FIREBASE_SERVICE_ACCOUNT: account } = config
  if (address === '') return
  const url = URL.parse(address)
  const isEmulator = url?.protocol === 'http:' && isThisMachine(url.hostname) && config.NODE_ENV !== 'production'
  const isFirebase =
    url?.protocol === 'https:' &&
    /\.(?:firebaseio\.com|firebasedatabase\.app)$/.test(url.hostname) &&
    url.username === ''
  if (!isFirebase && !isEmulator)
    yield 'FIREBASE_DATABASE_URL must be https and a host of Firebase; outside production also http on this machine, an emulator.'
  if (isFirebase && account === '') yield 'FIREBASE_SERVICE_ACCOUNT must be set with FIREBASE_DATABASE_URL.'
  if (account !== '' && !account.startsWith('/') && !isServiceAccount(account))
    yield 'FIREBASE_SERVICE_ACCOUNT must be the JSON of a service account, or the path of its file from the root.'
}

function isServiceAccount(text: string): boolean {
  const account = parseJson(text)
  return ['client_email', 'private_key'].every((name) => typeof readField(account, name) === 'string')
}

/** Catches a forgotten NODE_ENV=production when other machines can call. */
function* outside(config: Config): Generator<string> {
  if (config.PROCESS !== 'worker' && !isThisMachine(config.HOST) && !accepts(config, 'open-outside-production'))
    yield 'HOST is reached from other machines: set NODE_ENV=production, or ACCEPTED_RISKS=open-outside-production for a trial.'
}

function* inProduction(config: Config): Generator<string> {
  if (config.DATABASE_URL === '') yield 'DATABASE_URL must be set in production.'
  if (isUnprotected(config))
    yield 'DATABASE_URL must connect by TLS to another machine and check its certificate (sslmode=verify-full); ACCEPTED_RISKS may contain database-unverified or database-plain.'
  yield* providerFaults(config)
  yield* edgeFaults(config)
  if (config.RATE_LIMITS === 'off') yield 'RATE_LIMITS must not be off in production.'
  if (switchedOff(config.RATE_LIMIT_OVERRIDES).length > 0)
    yield 'RATE_LIMIT_OVERRIDES must not raise a limit to more than 20 times its calls a second in production.'
  if (config.DEMO_DATA === 'on') yield 'DEMO_DATA must not be on in production.'
  yield* secretFaults(config)
}

function* providerFaults(config: Config): Generator<string> {
  if (config.PUSH_PROVIDER === 'simulator') yield 'PUSH_PROVIDER must not be the simulator in production.'
  if (config.PUSH_PROVIDER === 'expo' && config.EXPO_ACCESS_TOKEN === '')
    yield 'EXPO_ACCESS_TOKEN must be set in production: without it anyone who knows a push token can send to it.'
  if (!isExpoAddress(config))
    yield 'EXPO_BASE_URL must be https and a host of Expo in production; ACCEPTED_RISKS=provider-elsewhere permits another https address, or one on this machine.'
}

function isExpoAddress(config: Config): boolean {
  const url = URL.parse(config.EXPO_BASE_URL)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (accepts(config, 'provider-elsewhere'))
    return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
  return url.protocol === 'https:' && /^(?:exp\.host|(?:[a-z0-9-]+\.)?expo\.(?:dev|io))$/.test(url.hostname)
}

// Schemes whose links run code or open data on the phone.
const UNSAFE_SCHEMES =
  /^(?:javascript|vbscript|livescript|mocha|jscript|data|file|filesystem|blob|about|view-source|jar|content|intent|resource|chrome|ms-.*|x-javascript)$/i

function* edgeFaults(config: Config): Generator<string> {
  if (config.TRUSTED_PROXIES.every(isNetwork) && measureCover(config.TRUSTED_PROXIES) > PROXIES_MOST)
    yield 'TRUSTED_PROXIES must not cover everybody: name the networks of your proxies.'
  if (!config.CORS_ORIGINS.every(isOrigin))
    yield 'CORS_ORIGINS must be origins such as https://panel.example.com in production, and must not be *.'
  if (config.LINK_SCHEMES.some((scheme) => UNSAFE_SCHEMES.test(scheme)))
    yield 'LINK_SCHEMES must not contain a scheme that runs code or opens files, such as javascript, data or file.'
}

function* secretFaults(config: Config): Generator<string> {
  for (const [name, values] of listSecrets(config))
    if (values.some((value) => Buffer.byteLength(value) >= SECRET_BYTES && isGuessableSecret(value)))
      yield `${name} can be guessed: openssl rand -base64 48 makes a good one.`
  yield* equalSecrets(config)
  if (config.ADMIN_PASSWORD !== '' && isGuessablePassword(config.ADMIN_PASSWORD, [config.ADMIN_EMAIL, 'administrator']))
    yield 'ADMIN_PASSWORD can be guessed.'
}

function listSecrets(config: Config): [name: string, values: string[]][] {
  return SECRETS.map((name) => {
    const values = [config[name]].flat().flatMap((value) => value.split('|'))
    return [name, values.filter((value) => value !== '')]
  })
}

/** Who learns one secret must not hold another; a previous one may have served for two. */
function* equalSecrets(config: Config): Generator<string> {
  const known = new Map<string, string>()
  for (const [name, values] of listSecrets(config))
    for (const value of values) {
      const other = known.get(value)
      const isFault = name.includes('PREVIOUS') ? other === name.replace('_PREVIOUS', '') : other !== undefined
      if (isFault) yield `${name} must differ from ${other === name ? 'the others in it' : other}.`
      if (!name.includes('PREVIOUS')) known.set(value, name)
    }
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text
}

/** Browsers make passkeys only for host names, over TLS or on the same machine. */
function isPanelOrigin(text: string): boolean {
  const { protocol, hostname = '' } = URL.parse(text) ?? {}
  const isNamed = isOrigin(text) && !/^\[|^[\d.]+$/.test(hostname)
  return isNamed && (protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost'))
}

function isUnprotected(config: Config): boolean {
  const { DATABASE_URL: url } = config
  if (url === '' || faultOfDatabaseUrl(url) !== undefined || !isRemote(url)) return false
  const tls = readTls(url)
  if (accepts(config, 'database-plain') || tls === 'verified') return false
  return tls === 'off' || !accepts(config, 'database-unverified')
}

function accepts({ ACCEPTED_RISKS }: Config, risk: (typeof RISKS)[number]): boolean {
  return ACCEPTED_RISKS.includes(risk)
}

function isThisMachine(host: string): boolean {
  return isLoopback(host) || /\.localhost$/i.test(host)
}
