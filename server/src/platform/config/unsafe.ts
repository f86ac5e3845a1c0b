import type { Config } from './config.ts'
import { coverOf, isNetwork } from './cidr.ts'
import { faultOfDatabaseUrl, isRemote, tlsOf } from './database-url.ts'
import { bitsOf } from './entropy.ts'
import { mailRules } from './mail-settings.ts'
import { readOverride, switchesOff } from './limits.ts'
import { isLoopback } from '../shared/networks.ts'
import { SETTINGS } from './settings.ts'

const SECRETS = [
  'JWT_SECRET',
  'JWT_PREVIOUS_SECRET',
  'AUDIT_SECRET',
  'AUDIT_PREVIOUS_SECRET',
  'SECOND_FACTOR_SECRET',
  'SECOND_FACTOR_PREVIOUS_SECRET',
] as const
// 32 random hexadecimal characters have 128 bits; chance repetitions reduce the measure.
const SECRET_BITS = 96
const PASSWORD_BITS = 32
// A sixteenth of all addresses: far more than all private networks together.
const PROXIES_MOST = 1 / 16

export function unsafeSettings(config: Config): string[] {
  const rules = [...everywhere(config), ...(config.NODE_ENV === 'production' ? inProduction(config) : outside(config))]
  return rules.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence)
}

type Rule = [isWrong: boolean, sentence: string]

function everywhere(config: Config): Rule[] {
  const databaseFault = faultOfDatabaseUrl(config.DATABASE_URL)
  return [
    [databaseFault !== undefined, `DATABASE_URL ${databaseFault}`],
    [Buffer.byteLength(config.JWT_SECRET) < 32, 'JWT_SECRET must be set, 32 bytes or more.'],
    ...SECRETS.slice(1).map((name): Rule => {
      const isShort = config[name] !== '' && Buffer.byteLength(config[name]) < 32
      return [isShort, `${name} must be 32 bytes or more.`]
    }),
    [
      config.SUBSCRIPTION_WEBHOOK_SECRET.some((secret) => Buffer.byteLength(secret) < 32),
      'SUBSCRIPTION_WEBHOOK_SECRET must be secrets of 32 bytes or more, separated by commas.',
    ],
    [
      (config.ADMIN_EMAIL === '') !== (config.ADMIN_PASSWORD === ''),
      'ADMIN_EMAIL and ADMIN_PASSWORD must be set together.',
    ],
    [
      config.ADMIN_EMAIL !== '' && !/^[!-?A-~]{1,64}@[\w.-]{1,189}$/.test(config.ADMIN_EMAIL),
      'ADMIN_EMAIL must be an e-mail address in ASCII.',
    ],
    [
      config.ADMIN_PASSWORD !== '' && Array.from(config.ADMIN_PASSWORD).length < 12,
      'ADMIN_PASSWORD must have 12 characters or more.',
    ],
    [
      !/^(?:https?:\/\/.+)?$/.test(config.OTEL_EXPORTER_OTLP_ENDPOINT) ||
        (config.OTEL_EXPORTER_OTLP_ENDPOINT !== '' && !URL.canParse(config.OTEL_EXPORTER_OTLP_ENDPOINT)),
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http:// or https://.',
    ],
    [!config.TRUSTED_PROXIES.every(isNetwork), 'TRUSTED_PROXIES must be addresses or CIDR networks.'],
    [
      !config.RATE_LIMIT_OVERRIDES.every((override) => readOverride(override) !== undefined),
      'RATE_LIMIT_OVERRIDES must be name=calls/seconds, separated by commas, each with the name of a limit.',
    ],
    [
      !config.LINK_SCHEMES.every((scheme) => /^[a-z][a-z0-9+.-]*$/i.test(scheme)),
      'LINK_SCHEMES must be schemes such as swapbell, without a colon.',
    ],
    [
      config.LINK_SCHEMES.every((scheme) => /^https?$/i.test(scheme)),
      'LINK_SCHEMES must contain a scheme of the app, such as swapbell.',
    ],
    [
      // Its requests may begin within the rest of the lease.
      config.PUSH_LEASE_SECONDS < config.PUSH_TIMEOUT_SECONDS * 1.5,
      'PUSH_LEASE_SECONDS must be at least one and a half times PUSH_TIMEOUT_SECONDS.',
    ],
    [
      config.PUSH_PROVIDER === 'simulator' && config.EXPO_BASE_URL === SETTINGS.EXPO_BASE_URL.fallback,
      'EXPO_BASE_URL must be the address of the simulator when PUSH_PROVIDER is the simulator.',
    ],
    [
      config.METRICS_PORT !== 0 && config.METRICS_PORT === config.PORT && config.PROCESS !== 'worker',
      'METRICS_PORT must not be PORT: the metrics are not for the public.',
    ],
    [
      !config.APPROVALS.every((name) => APPROVABLE.includes(name)),
      `APPROVALS must be some of ${APPROVABLE.join(', ')}, separated by commas.`,
    ],
    [
      config.PANEL_ORIGIN !== '' && !isPanelOrigin(config.PANEL_ORIGIN),
      'PANEL_ORIGIN must be an origin with a host name, such as https://panel.example.com; http only for localhost.',
    ],
    ...realtimeRules(config),
    ...mailRules(config),
  ]
}

const APPROVABLE: readonly string[] = ['sends', 'bulk-changes', 'roles']

function realtimeRules(config: Config): Rule[] {
  const { FIREBASE_DATABASE_URL: address, FIREBASE_SERVICE_ACCOUNT: account } = config
  if (address === '') return []
  const url = URL.parse(address)
  const isEmulator = url?.protocol === 'http:' && isThisMachine(url.hostname) && config.NODE_ENV !== 'production'
  const isFirebase =
    url?.protocol === 'https:' &&
    /\.(?:firebaseio\.com|firebasedatabase\.app)$/.test(url.hostname) &&
    url.username === ''
  return [
    [
      !isFirebase && !isEmulator,
      'FIREBASE_DATABASE_URL must be https and a host of Firebase; outside production also http on this machine, an emulator.',
    ],
    [
      isFirebase && account === '' && config.GOOGLE_APPLICATION_CREDENTIALS === '',
      'FIREBASE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS must be set with FIREBASE_DATABASE_URL.',
    ],
    [account !== '' && !isServiceAccount(account), 'FIREBASE_SERVICE_ACCOUNT must be the JSON of a service account.'],
  ]
}

function isServiceAccount(text: string): boolean {
  try {
    const { client_email, private_key } = JSON.parse(text) as Record<string, unknown>
    return typeof client_email === 'string' && typeof private_key === 'string'
  } catch {
    return false
  }
}

/** Catches a forgotten NODE_ENV=production when other machines can call. */
function outside(config: Config): Rule[] {
  const isOpen =
    config.PROCESS !== 'worker' && !isThisMachine(config.HOST) && config.OPEN_OUTSIDE_PRODUCTION === 'refused'
  return [
    [
      isOpen,
      'HOST is reached from other machines: set NODE_ENV=production, or OPEN_OUTSIDE_PRODUCTION=allowed for a trial.',
    ],
  ]
}

function inProduction(config: Config): Rule[] {
  return [
    [config.DATABASE_URL === '', 'DATABASE_URL must be set in production.'],
    [
      isUnprotected(config),
      'DATABASE_URL must connect by TLS to another machine and check its certificate (sslmode=verify-full); DATABASE_TLS changes what is required.',
    ],
    ...providerRules(config),
    ...edgeRules(config),
    [config.RATE_LIMITS === 'off', 'RATE_LIMITS must not be off in production.'],
    [
      config.RATE_LIMIT_OVERRIDES.map(readOverride).some((override) => override !== undefined && switchesOff(override)),
      'RATE_LIMIT_OVERRIDES must not raise a limit to more than 20 times its calls a second in production.',
    ],
    [config.DEMO_DATA === 'on', 'DEMO_DATA must not be on in production.'],
    ...secretRules(config),
  ]
}

function providerRules(config: Config): Rule[] {
  const isExpo = config.PUSH_PROVIDER === 'expo'
  return [
    [!isExpo, 'PUSH_PROVIDER must not be the simulator in production.'],
    [
      isExpo && config.EXPO_ACCESS_TOKEN === '',
      'EXPO_ACCESS_TOKEN must be set in production: without it anyone who knows a push token can send to it.',
    ],
    [
      !isExpoAddress(config),
      'EXPO_BASE_URL must be https and a host of Expo in production; EXPO_OTHER_HOST=allowed permits another https address, or one on this machine.',
    ],
  ]
}

function isExpoAddress({ EXPO_BASE_URL, EXPO_OTHER_HOST }: Config): boolean {
  const url = URL.parse(EXPO_BASE_URL)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (EXPO_OTHER_HOST === 'allowed')
    return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
  return url.protocol === 'https:' && /^(?:exp\.host|(?:[a-z0-9-]+\.)?expo\.(?:dev|io))$/.test(url.hostname)
}

// Schemes whose links run code or open data on the phone.
const UNSAFE_SCHEMES =
  /^(?:javascript|vbscript|livescript|mocha|jscript|data|file|filesystem|blob|about|view-source|jar|content|intent|resource|chrome|ms-.*|x-javascript)$/i

function edgeRules(config: Config): Rule[] {
  return [
    [
      config.TRUSTED_PROXIES.every(isNetwork) && coverOf(config.TRUSTED_PROXIES) > PROXIES_MOST,
      'TRUSTED_PROXIES must not cover everybody: name the networks of your proxies.',
    ],
    [
      !config.CORS_ORIGINS.every(isOrigin),
      'CORS_ORIGINS must be origins such as https://panel.example.com in production, and must not be *.',
    ],
    [
      config.LINK_SCHEMES.some((scheme) => UNSAFE_SCHEMES.test(scheme)),
      'LINK_SCHEMES must not contain a scheme that runs code or opens files, such as javascript, data or file.',
    ],
  ]
}

function secretRules(config: Config): Rule[] {
  return [
    ...SECRETS.map((name): Rule => {
      const value = config[name]
      const isWeak = value !== '' && (PLACEHOLDER.test(value) || bitsOf(value) < SECRET_BITS)
      return [
        isWeak && Buffer.byteLength(value) >= 32,
        `${name} looks like a placeholder or can be guessed: openssl rand -base64 48 makes a good one.`,
      ]
    }),
    [
      config.ADMIN_PASSWORD !== '' &&
        (/^(?:change|p[a@4]ss|admin|default|secret|letmein|welcome)/i.test(config.ADMIN_PASSWORD) ||
          bitsOf(config.ADMIN_PASSWORD) < PASSWORD_BITS),
      'ADMIN_PASSWORD looks like a placeholder or can be guessed.',
    ],
  ]
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

const PLACEHOLDER =
  /secret|change|example|default|password|placeholder|insecure|keyboard.?cat|letmein|qwerty|your[-_ ]/i

function isUnprotected({ DATABASE_URL, DATABASE_TLS }: Config): boolean {
  if (DATABASE_URL === '' || faultOfDatabaseUrl(DATABASE_URL) !== undefined || !isRemote(DATABASE_URL)) return false
  const tls = tlsOf(DATABASE_URL)
  if (DATABASE_TLS === 'off') return false
  return DATABASE_TLS === 'unverified' ? tls === 'off' : tls !== 'verified'
}

function isThisMachine(host: string): boolean {
  return isLoopback(host) || /\.localhost$/i.test(host)
}
