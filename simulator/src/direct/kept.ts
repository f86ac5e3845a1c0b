import { generateKeyPair, generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeAccount, PROJECT } from '../fcm/service-account.ts'
import { isRecord } from '../json.ts'

/** A port for each listener; 0: any free one. */
export const LISTENERS = ['production', 'sandbox', 'google', 'googleTokens', 'browsers'] as const
export type Ports = Record<(typeof LISTENERS)[number], number>

/** The private keys, as the sender gets them. */
export type Keys = { apple: string; google: string; browsers: string }

/** Apple names its files so. */
export const APPLE_KEY_ID = 'SWAPBELL01'
export const KEY_FILES: Keys = {
  apple: `AuthKey_${APPLE_KEY_ID}.p8`,
  google: 'google.json',
  browsers: 'browsers.pem',
}

const PORTS_FILE = 'ports.json'

/** The keys in the folder; those that are not there are made, readable by their owner alone. */
export async function keepKeys(folder: string): Promise<Keys> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [apple, google, browsers] = await Promise.all([
    keep(join(folder, KEY_FILES.apple), makeEcKey),
    keep(join(folder, KEY_FILES.google), makeGoogleKey),
    keep(join(folder, KEY_FILES.browsers), makeEcKey),
  ])
  return { apple, google, browsers }
}

/**
 * Gives ports from `first` upwards; without it those of the run before, because browsers are registered with theirs.
 */
export async function choosePorts(folder: string, first: number | null): Promise<Ports> {
  const kept: unknown = JSON.parse(await readFile(join(folder, PORTS_FILE), 'utf8').catch(() => '{}'))
  const wished = LISTENERS.map(async (name, index) => {
    if (first !== null) return [name, first === 0 ? 0 : first + index] as const
    const port = isRecord(kept) ? Number(kept[name] ?? 0) : 0
    return [name, (await isFree(port)) ? port : 0] as const
  })
  return Object.fromEntries(await Promise.all(wished)) as Ports
}

export async function keepPorts(folder: string, places: Record<keyof Ports, string>): Promise<void> {
  const ports = LISTENERS.map((name) => [name, Number(new URL(places[name]).port)])
  await writeFile(join(folder, PORTS_FILE), JSON.stringify(Object.fromEntries(ports)))
}

async function keep(file: string, make: () => string | Promise<string>): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept
  const made = await make()
  await writeFile(file, made, { mode: 0o600 })
  return made
}

function makeEcKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/** It takes longest, and meanwhile the others are made. */
async function makeGoogleKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return describeAccount(PROJECT, String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
}

async function isFree(port: number): Promise<boolean> {
  if (port === 0) return true
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
