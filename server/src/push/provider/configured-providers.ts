import { X509Certificate } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { ProviderEntry } from '../../platform/config/providers-file.ts'
import { createValidatorCompiler } from '../../platform/http/validation.ts'
import { AppError } from '../../platform/shared/errors.ts'
import type { Environment, Kind, Provider, ProviderGround, TokenType } from './provider.ts'

/**
 * A provider that is configured. `app` and `environment` null: those of Expo's project. For sentences: where it is, and
 * the settings of that and of its key.
 */
export type Instance = {
  name: string
  tokenType: TokenType
  app: string | null
  environment: Environment | null
  place: string
  placeSetting: string
  key: string
  /** Pushes a second, of all processes together; 0: no pace. */
  ratePerSecond: number
  create(ground: Omit<ProviderGround, 'name' | 'key' | 'ca'>): Provider
  /** Providers of one share a signed token. */
  shares: { kind: string; key: string }
}

/** What every kind's settings have, as `COMMON_SETTINGS` says. */
type Common = { app: string; environment?: Environment; rate_per_second?: number }

type Settings = Pick<Config, 'PUSH_PROVIDERS_FILE' | 'PUSH_RATE_PER_SECOND' | 'NODE_ENV' | 'ACCEPTED_RISKS'>

/** What other machines see in production, unless ACCEPTED_RISKS has `provider-elsewhere`. */
const ELSEWHERE = /(?:^|_)address$|^ca_file$/

/** Gives the instances that can be used, and a sentence for each fault of the others, with what to do. */
export function readEntries(
  config: Settings,
  kinds: readonly Kind<never>[],
): { instances: Instance[]; faults: string[] } {
  const instances: Instance[] = []
  const faults: string[] = []
  for (const [index, entry] of config.PUSH_PROVIDERS_FILE.entries()) {
    const read = readEntry(entry, config, kinds)
    const isTwin = 'name' in read && instances.some(({ name }) => name === read.name)
    if ('name' in read && !isTwin) instances.push(read)
    const found = 'name' in read ? (isTwin ? [`is the second one of the name ${read.name}: remove it.`] : []) : read
    for (const fault of found) faults.push(`PUSH_PROVIDERS_FILE: the provider at ${index} ${fault}`)
  }
  return { instances, faults }
}

function readEntry(
  { settings: all, texts }: ProviderEntry,
  config: Settings,
  kinds: readonly Kind<never>[],
): Instance | string[] {
  const { kind: kindName, ...settings } = all
  const kind = kinds.find((one) => one.kind === kindName)
  if (kind === undefined) return [`must have a kind: one of ${kinds.map((one) => one.kind).join(', ')}.`]
  const wrong = faultsOfForm(kind.settings, settings)
  if (wrong.length > 0) return wrong
  const { app, environment = null, rate_per_second: ratePerSecond = config.PUSH_RATE_PER_SECOND } = settings as Common
  const name = [kind.kind, app, environment].filter((part) => part !== null).join('/')
  const key = texts[kind.key.file] ?? texts[kind.key.variable]
  const settingsOfKey = `${kind.key.file} or ${kind.key.variable}`
  if (key === undefined || (kind.key.file in texts && kind.key.variable in texts))
    return [`(${name}) must name its key by one of ${settingsOfKey}.`]
  const elsewhere = Object.keys(settings).filter((one) => ELSEWHERE.test(one))
  const mayBe = config.NODE_ENV !== 'production' || config.ACCEPTED_RISKS.includes('provider-elsewhere')
  const own = [...kind.faults(settings as never, key), ...listFaultsOfPlace(settings, texts['ca_file'])]
  if (!mayBe && elsewhere.length > 0)
    own.push(`must not have ${elsewhere.join(' and ')} in production, unless ACCEPTED_RISKS has provider-elsewhere.`)
  if (own.length > 0) return own.map((fault) => `(${name}) ${fault}`)
  return {
    name,
    place: name,
    placeSetting: 'address',
    key: `${settingsOfKey} of ${name} in PUSH_PROVIDERS_FILE`,
    tokenType: kind.kind,
    app,
    environment,
    ratePerSecond,
    shares: { kind: kind.kind, key },
    create: (ground) => kind.create(settings as never, { ...ground, name, key, ca: texts['ca_file'] }),
  }
}

/** Without these the provider could not be made, or would never get a connection. */
function listFaultsOfPlace(settings: Record<string, unknown>, ca: string | undefined): string[] {
  const addresses = Object.entries(settings).filter(([setting]) => /(?:^|_)address$/.test(setting))
  const wrong = addresses.filter(
    ([setting, value]) => !isAddress(String(value), { mayHavePath: setting !== 'address' }),
  )
  const faults = wrong.map(([setting]) => `has ${setting} that is no address, such as https://proxy.example:2197.`)
  if (ca !== undefined && !isCertificate(ca)) faults.push('has ca_file that holds no certificate (PEM).')
  return faults
}

function isAddress(text: string, { mayHavePath }: { mayHavePath: boolean }): boolean {
  const url = URL.parse(text)
  return url !== null && (mayHavePath || url.href === `${url.origin}/`)
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== ''
  } catch {
    return false
  }
}

function faultsOfForm(schema: TSchema, settings: unknown): string[] {
  const read = createValidatorCompiler()({ schema, method: '', url: '', httpPart: 'body' })(settings) as {
    error?: unknown
  }
  const fault = read.error
  if (!(fault instanceof AppError)) return []
  const fields = Object.entries(fault.extras.errors ?? {})
  return fields.map(([field, sentences]) => `has ${field === '' ? 'settings' : field} that ${sentences.join(' and ')}.`)
}
