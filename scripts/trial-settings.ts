import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `npm start` reads from the environment; the server gets everything else unchanged. */
export type TrialSettings = {
  host: string
  port: number
  /** The simulator's port, and whether it was requested or is only a default. */
  simulatorPort: number
  isSimulatorPortGiven: boolean
  dataDir: string
  isDataDirGiven: boolean
  databaseUrl: string
  /** Pushes go to Expo, and so to real phones, in place of the simulator. */
  isExpo: boolean
}

/** Reads the settings; throws an Error that names the wrong variable. */
export function readTrialSettings(env: NodeJS.ProcessEnv): TrialSettings {
  const port = portFrom(env, 'PORT', 3000)
  const isExpo = env['PUSH_PROVIDER'] === 'expo'
  return {
    isExpo,
    host: env['HOST'] || '127.0.0.1',
    port,
    simulatorPort: portFrom(env, 'SIM_PORT', port + 200 > 65_535 ? 0 : port + 200),
    isSimulatorPortGiven: Boolean(env['SIM_PORT']),
    // The tokens of the demonstration are nobody's, so they must not reach Expo.
    dataDir: env['DATA_DIR'] || (isExpo ? './data-expo' : './data'),
    isDataDirGiven: Boolean(env['DATA_DIR']),
    databaseUrl: env['DATABASE_URL'] ?? '',
  }
}

function portFrom(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = env[name] ? Number(env[name]) : fallback
  if (!Number.isInteger(value) || value < 0 || value > 65_535) {
    throw new Error(`${name} must be a port number (0 to 65535), not "${env[name]}".`)
  }
  return value
}

/** The secrets of one data directory: those in the environment, or those generated once. */
export type TrialSecrets = { jwtSecret: string; adminEmail: string; adminPassword: string }

/**
 * Reads the secrets in `dataDir`/trial.json, and makes them (readable by their owner alone) when there are none yet.
 */
export async function keptSecrets(dataDir: string, env: NodeJS.ProcessEnv): Promise<TrialSecrets> {
  const file = join(dataDir, 'trial.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const kept: unknown = JSON.parse(text)
  const jwtSecret = stringIn(kept, 'jwtSecret') ?? randomBytes(48).toString('hex')
  const adminPassword = stringIn(kept, 'adminPassword') ?? memorablePassword()
  const content = `${JSON.stringify({ jwtSecret, adminPassword }, undefined, 2)}\n`
  if (content !== text) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(file, content, { mode: 0o600 })
  }
  return {
    jwtSecret: env['JWT_SECRET'] || jwtSecret,
    adminEmail: env['ADMIN_EMAIL'] || 'admin@swapbell.example',
    adminPassword: env['ADMIN_PASSWORD'] || adminPassword,
  }
}

/** The secret in `dataDir`/trial.json; undefined when no trial made one there. */
export async function readKeptSecret(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'trial.json'), 'utf8').catch(() => '{}')
  return stringIn(JSON.parse(text), 'jwtSecret')
}

function stringIn(value: unknown, name: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : undefined
}

/** 16 letters and digits in groups of four, 78 bits, without those that look alike. */
function memorablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

/** A trial has no proxy, and its receipts come within a minute. */
export async function writeTrialLimits(dataDir: string, isExpo: boolean): Promise<string> {
  const file = join(dataDir, 'limits.json')
  const limits = { LAME_DUCK_SECONDS: 0, PROXY_KEEP_ALIVE_SECONDS: 0, ...(!isExpo && { RECEIPT_DELAY_SECONDS: 5 }) }
  await writeFile(file, JSON.stringify(limits))
  return file
}
