import { expect, onTestFinished, test, vi } from 'vitest'
import { ERROR_CODES, isAboutOnePush } from '../../../server/src/push/provider/provider.ts'

// A device that is gone pauses no platform.
const CODES = ERROR_CODES.filter((code) => isAboutOnePush(code) && code !== 'DeviceNotRegistered')

async function pausesIn(language: string): Promise<Map<string, string>> {
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', { languages: [language] })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.resetModules()
  onTestFinished(() => void vi.unstubAllGlobals().resetModules())
  const { describeWaits } = await import('./providers.tsx')
  const wait = { reason: 'platform_paused', platform: 'ios', until: null } as const
  return new Map(CODES.map((code) => [code, describeWaits([{ ...wait, code }])]))
}

test.for([
  ['en', /iPhone.*: nothing is sent there until sending is resumed\.$/, /refuses our credentials/],
  ['es', /iPhone.*: no se envía nada allí hasta que se reanude el envío\.$/, /rechaza nuestras credenciales/],
] as const)('The page of the delivery says by the code why a platform is paused: %s', async ([language, end, keys]) => {
  const sentences = await pausesIn(language)
  expect(CODES).toHaveLength(4)
  expect(new Set(sentences.values()).size).toBe(CODES.length)
  for (const sentence of sentences.values()) expect(sentence).toMatch(end)
  expect(CODES.filter((code) => keys.test(sentences.get(code) ?? ''))).toEqual(['InvalidCredentials'])
})
