import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Environment } from '../apns/provider-token.ts'
import { AUTHORITY_FILE } from '../http2/certificates.ts'
import { APPLE_KEY_ID, KEY_FILES } from './kept.ts'

export const APP = 'swapbell'
export const TOPIC = 'com.example.swapbell'
export const TEAM = 'SIMULATOR1'

/** Where the doubles listen. */
export type Places = Record<Environment | 'google' | 'googleTokens' | 'browsers', string>

/**
 * Writes what PUSH_PROVIDERS_FILE names, so that a service sends to the doubles, and to push services at
 * `browserHosts`; gives its path.
 */
export async function writeProvidersFile(
  folder: string,
  places: Places,
  browserHosts: readonly string[],
): Promise<string> {
  const path = (name: string) => resolve(folder, name)
  const common = { app: APP, ca_file: AUTHORITY_FILE }
  const apple = (environment: Environment) => ({
    kind: 'apns',
    ...common,
    environment,
    team: TEAM,
    key_id: APPLE_KEY_ID,
    key_file: path(KEY_FILES.apple),
    topic: TOPIC,
    address: places[environment],
  })
  const google = {
    kind: 'fcm',
    ...common,
    credentials_file: path(KEY_FILES.google),
    address: places.google,
    token_address: places.googleTokens,
  }
  const browsers = {
    kind: 'web',
    ...common,
    subject: 'mailto:simulator@swapbell.example',
    key_file: path(KEY_FILES.browsers),
    hosts: [new URL(places.browsers).host, ...browserHosts],
  }
  const file = path('providers.json')
  const providers = [apple('production'), apple('sandbox'), google, browsers]
  await writeFile(file, `${JSON.stringify({ providers }, undefined, 2)}\n`)
  return file
}
