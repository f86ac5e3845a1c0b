import { isIP } from 'node:net'

type Setting<T> = { doc: string; fallback: T; read: (raw: string) => T }

/**
 * Every setting of the service: its sentence of documentation, its default, and how its text is read. `docs/operations.md`
 * prints this list; nothing else reads the environment.
 */
const settings = {
  NODE_ENV: choice('Where this runs; production refuses unsafe settings.', ['development', 'production', 'test']),
  PROCESS: choice('What this process does: the API, the worker, or both.', ['all', 'web', 'worker']),
  PORT: integer('Port of the API.', 3000, 0, 65_535),
  HOST: text('Address the API listens on.', '127.0.0.1'),
  DATABASE_URL: text('PostgreSQL 15 or later; absent: an embedded one in DATA_DIR.', ''),
  DATABASE_POOL: integer('Connections a process may hold.', 16, 2, 200),
  DATA_DIR: text('Folder of the embedded PostgreSQL.', './data'),
  JWT_SECRET: text('Signs access tokens, at least 32 bytes.', ''),
  JWT_PREVIOUS_SECRET: text('The secret before a rotation, still accepted.', ''),
  AUDIT_SECRET: text('Signs the audit log, at least 32 bytes; absent: JWT_SECRET does.', ''),
  AUDIT_PREVIOUS_SECRET: text('AUDIT_SECRET before a rotation; entries under it are still checked.', ''),
  ADMIN_EMAIL: text('Address of the first super administrator.', ''),
  ADMIN_PASSWORD: text('Password of the first super administrator, 12 characters or more.', ''),
  PUSH_PROVIDER: choice('Who delivers: the simulator, or Expo.', ['simulator', 'expo']),
  EXPO_BASE_URL: text('Where the provider answers.', 'https://exp.host'),
  EXPO_ACCESS_TOKEN: text('Bearer token of Expo’s enhanced push security.', ''),
  PUSH_RATE_PER_SECOND: integer('Notifications a second, all processes together; 0: no pace.', 500, 0, 1_000_000),
  PUSH_CONCURRENCY: integer('Requests to the provider in flight, for each worker process.', 6, 1, 256),
  PUSH_TIMEOUT_SECONDS: number('Time limit of a request to the provider.', 10, 0.05, 20),
  PUSH_RETRY_LIMIT: integer('Retries of a batch after its first attempt.', 3, 0, 20),
  PUSH_RETRY_DELAY_SECONDS: number('Wait before a retry.', 60, 0, 3600),
  PUSH_LEASE_SECONDS: number('After this, a request without an outcome counts as unknown.', 60, 0.1, 150),
  MESSAGE_TTL_SECONDS: integer('A message not submitted by then expires.', 86_400, 1, 2_419_200),
  RECEIPT_DELAY_SECONDS: number('Wait between a ticket and the first question for its receipt.', 900, 0, 43_200),
  LINK_SCHEMES: list('Schemes that a deep link may have.', ['swapbell', 'https']),
  RATE_LIMITS: choice('Request limits; off is for load tests.', ['on', 'off']),
  RATE_LIMIT_OVERRIDES: list('Limits that differ from the usual, each name=calls/seconds.', []),
  TRUSTED_PROXIES: list('Networks (CIDR) whose X-Forwarded-For counts.', []),
  CORS_ORIGINS: list('Origins that browsers may call from.', []),
  DEMO_DATA: choice('Demonstration data in an empty database.', ['off', 'on']),
  LOG_LEVEL: choice('How much is logged.', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
}

type Settings = typeof settings
export type Config = { readonly [Name in keyof Settings]: Settings[Name]['fallback'] }

/**
 * Reads the settings from `env`. Gives the configuration, or every fault at once, each a sentence that names its
 * variable and never its value.
 */
export function readConfig(env: Record<string, string | undefined>): { config: Config } | { faults: string[] } {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const raw = env[name]
    try {
      values[name] = raw === undefined || raw === '' ? setting.fallback : setting.read(raw.trim())
    } catch (error) {
      values[name] = setting.fallback
      faults.push(`${name} ${(error as Error).message}`)
    }
  }
  const config = Object.freeze(values) as Config
  // An unreadable setting stands at its default here, so that the unsafe ones are found all the same.
  faults.push(...unsafeSettings(config))
  return faults.length > 0 ? { faults } : { config }
}

/** The configuration of tests and tools: the defaults, with what differs. */
export function configWith(overrides: Partial<Config>): Config {
  const defaults = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.fallback]))
  return Object.freeze({ ...defaults, ...overrides }) as Config
}

/** The settings as rows (name, default, sentence) for the documentation. */
export function describeSettings(): { name: string; fallback: string; doc: string }[] {
  return Object.entries(settings).map(([name, { fallback, doc }]) => ({ name, fallback: String(fallback), doc }))
}

function unsafeSettings(config: Config): string[] {
  const faults: string[] = []
  const fault = (wrong: boolean, sentence: string) => wrong && faults.push(sentence)
  fault(Buffer.byteLength(config.JWT_SECRET) < 32, 'JWT_SECRET must be set, 32 bytes or more.')
  fault(
    config.JWT_PREVIOUS_SECRET !== '' && Buffer.byteLength(config.JWT_PREVIOUS_SECRET) < 32,
    'JWT_PREVIOUS_SECRET must be 32 bytes or more.',
  )
  fault((config.ADMIN_EMAIL === '') !== (config.ADMIN_PASSWORD === ''), 'ADMIN_EMAIL and ADMIN_PASSWORD go together.')
  fault(
    config.ADMIN_PASSWORD !== '' && config.ADMIN_PASSWORD.length < 12,
    'ADMIN_PASSWORD must have 12 characters or more.',
  )
  fault(!config.TRUSTED_PROXIES.every(isNetwork), 'TRUSTED_PROXIES must be addresses or CIDR networks.')
  fault(
    !config.RATE_LIMIT_OVERRIDES.every((override) => /^[a-z-]+=\d{1,7}\/[1-9]\d{0,5}$/.test(override)),
    'RATE_LIMIT_OVERRIDES must be name=calls/seconds, separated by commas.',
  )
  fault(
    // What is left of a lease is the time in which its requests may begin.
    config.PUSH_LEASE_SECONDS < config.PUSH_TIMEOUT_SECONDS * 1.5,
    'PUSH_LEASE_SECONDS must be at least one and a half times PUSH_TIMEOUT_SECONDS.',
  )
  fault(
    config.PUSH_PROVIDER === 'simulator' && config.EXPO_BASE_URL === settings.EXPO_BASE_URL.fallback,
    'EXPO_BASE_URL must be the address of the simulator when PUSH_PROVIDER is the simulator.',
  )
  if (config.NODE_ENV !== 'production') return faults
  fault(config.DATABASE_URL === '', 'DATABASE_URL must be set in production.')
  fault(config.PUSH_PROVIDER === 'simulator', 'PUSH_PROVIDER must not be the simulator in production.')
  fault(!config.EXPO_BASE_URL.startsWith('https://'), 'EXPO_BASE_URL must be https in production.')
  fault(config.RATE_LIMITS === 'off', 'RATE_LIMITS must not be off in production.')
  fault(config.DEMO_DATA === 'on', 'DEMO_DATA must not be on in production.')
  fault(/secret|change|example|default|password/i.test(config.JWT_SECRET), 'JWT_SECRET looks like a placeholder.')
  fault(
    /^(?:change|password|admin|default|secret)/i.test(config.ADMIN_PASSWORD),
    'ADMIN_PASSWORD looks like a placeholder.',
  )
  return faults
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function text(doc: string, fallback: string): Setting<string> {
  return { doc, fallback, read: (raw) => raw }
}

function list(doc: string, fallback: string[]): Setting<string[]> {
  return { doc, fallback, read: readList }
}

function readList(raw: string): string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function choice<const T extends string>(doc: string, options: [T, ...T[]]): Setting<T> {
  const read = (raw: string): T => {
    const found = options.find((option) => option === raw)
    if (found === undefined) throw new Error(`must be one of: ${options.join(', ')}.`)
    return found
  }
  return { doc, fallback: options[0], read }
}

function number(doc: string, fallback: number, minimum: number, maximum: number): Setting<number> {
  const read = (raw: string) => {
    const value = Number(raw)
    if (!Number.isFinite(value) || value < minimum || value > maximum)
      throw new Error(`must be a number from ${minimum} to ${maximum}.`)
    return value
  }
  return { doc, fallback, read }
}

function integer(doc: string, fallback: number, minimum: number, maximum: number): Setting<number> {
  const bounded = number(doc, fallback, minimum, maximum)
  const read = (raw: string) => {
    const value = bounded.read(raw)
    if (!Number.isInteger(value)) throw new Error('must be a whole number.')
    return value
  }
  return { doc, fallback, read }
}
