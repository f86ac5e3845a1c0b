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

// Push tokens and password hashes, whoever they belong to.
const NEVER = [/Expo(?:nent)?PushToken\[\w|\$argon2/, ...KINDS.flatMap(({ tokens }) => tokens)]

/** Makes a watch. Passwords that requests carry are secrets from then on, in answers and in the log. */
export function watchForSecrets(): SecretWatch {
  const passwords = new Set<string>()
  const leaks: string[] = []
  let log = ''

  const check = (where: string, text: string) => {
    for (const form of NEVER) {
      const [found] = text.match(form) ?? []
      if (found !== undefined) leaks.push(`${where} holds a push token or a hash, ${found}: ${text.slice(0, 300)}`)
    }
    for (const password of passwords)
      if (text.includes(password)) leaks.push(`${where} holds a password: ${text.slice(0, 300)}`)
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
        rememberPassword(options, passwords)
        const answer = await original(options)
        check(`the answer to ${JSON.stringify((options as { url?: string }).url)}`, answer.payload)
        return answer
      }
      app.inject = watched as unknown as App['inject']
    },
    expectNoLeak: () => expect(leaks).toEqual([]),
  }
}

function rememberPassword(options: unknown, passwords: Set<string>): void {
  const body = (options as { payload?: unknown; body?: unknown }).payload ?? (options as { body?: unknown }).body
  const password: unknown =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['password'] : undefined
  if (typeof password === 'string' && password.length >= 6) passwords.add(password)
}
