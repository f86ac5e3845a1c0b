import { expect } from 'vitest'
import type { App } from '../../src/platform/http/routes.ts'
import { KINDS } from '../../src/push/provider/registry.ts'

/** Watches every answer and every log line of a service for what must never be in one. */
export type SecretWatch = {
  sawLog(text: string): void
  logged(): string
  watchAnswers(app: App): void
  expectNoLeak(): void
}

// Push tokens of every provider, and password hashes. An UUID is Expo's too, but ours are everywhere.
const NEVER = [/Expo(?:nent)?PushToken\[\w/g, /\$argon2/g, ...KINDS.flatMap(({ tokens }) => tokens)]

// A digest looks like a token of Apple, and any 16 random bytes like an id of Google: such ids are known from requests.
const DIGESTS = /"(?:pin|sha256|digest|hash|head|audit_head)\\?":\s?\\?"[\da-f]{64}\\?"/g
const ANY_ID = /^[c-f][\w-]{21}$/
// The texts that tests make of a few letters are no tokens.
const LETTERS_LEAST = 6

// The description of the API has examples of tokens.
const DESCRIPTION = /^\/(?:api\/openapi\.json|docs\/(?:json|yaml))/

function findTokens(text: string): string[] {
  const bare = text.replace(DIGESTS, '')
  return NEVER.flatMap((form) => bare.match(form) ?? []).filter(
    (found) => !ANY_ID.test(found) && (found.startsWith('Expo') || new Set(found).size >= LETTERS_LEAST),
  )
}

/** Makes a watch. Passwords and push tokens that requests carry are secrets from then on, in answers and in the log. */
export function watchForSecrets(): SecretWatch {
  const carried = new Set<string>()
  const leaks: string[] = []
  let log = ''

  const check = (where: string, text: string) => {
    for (const found of findTokens(text))
      leaks.push(`${where} holds a push token or a hash, ${found}: ${text.slice(0, 300)}`)
    for (const secret of carried)
      if (text.includes(secret)) leaks.push(`${where} holds a password or a push token: ${text.slice(0, 300)}`)
  }
  return {
    sawLog: (text) => {
      log += text
      check('the log', text)
    },
    logged: () => log,
    watchAnswers: (app) => {
      const original = app.inject.bind(app) as (options: unknown) => Promise<{ payload: string }>
      const watched = async (options: unknown) => {
        const url = typeof options === 'string' ? options : (options as { url?: string }).url
        for (const secret of listSecrets(options)) carried.add(secret)
        const answer = await original(options)
        if (url === undefined || !DESCRIPTION.test(url)) check(`the answer to ${JSON.stringify(url)}`, answer.payload)
        return answer
      }
      app.inject = watched as unknown as App['inject']
    },
    expectNoLeak: () => expect(leaks).toEqual([]),
  }
}

function listSecrets(options: unknown): string[] {
  const body = (options as { payload?: unknown; body?: unknown }).payload ?? (options as { body?: unknown }).body
  if (typeof body !== 'object' || body === null) return []
  const { password, token, token_type: type } = body as Record<string, unknown>
  const secrets = typeof password === 'string' ? [password] : []
  if (typeof token === 'string' && type === 'fcm' && ANY_ID.test(token)) secrets.push(token)
  return secrets.filter((secret) => secret.length >= 6)
}
