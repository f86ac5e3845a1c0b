// Slow: a second or more for each test, or five for the file.
import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import recorded from '../src/platform/openapi/answer-examples.json' with { type: 'json' }
import { allowedHeaders, make } from './support/callers.ts'
import { callsOf, givenWorld } from './support/calls.ts'
import { STORY_SETTINGS, signInWithFactor, signInWithKey, tellStory } from './support/example-story.ts'
import { recordAnswers, shapeOf } from './support/examples.ts'
import { mailTest, startMailService } from './support/mail.ts'
import { documentOf } from './support/openapi.ts'

const FILE = new URL('../src/platform/openapi/answer-examples.json', import.meta.url)

const test = mailTest.override('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startMailService(STORY_SETTINGS)
  onCleanup(() => service.close())
  return service
})

test('examples of answers have the fields of the answers (EXAMPLES=write npm test -- server/test/examples.test.ts writes them)', async ({
  service,
}) => {
  const { app, clock } = service
  const examples = recordAnswers(app, await documentOf(app), clock)
  await tellStory(service)
  const world = await givenWorld(service)
  for (const [name, call] of Object.entries(callsOf(world))) {
    const url = name.includes('/insight/') && !call.url.includes('?') ? `${call.url}?${DAYS}` : call.url
    await make(service, { ...call, url }, await allowedHeaders(service, world, name))
  }
  await signInWithFactor(service)
  await signInWithKey(service)
  if (process.env['EXAMPLES'] === 'write') writeFileSync(FILE, fileOf(examples))
  else expect(shapeOf(recorded)).toEqual(shapeOf(examples))
})

const DAYS = 'start_date=2026-03-01&end_date=2026-03-02'

function fileOf(examples: object): string {
  const lines = Object.entries(examples).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{\n${lines.map(([name, example]) => `${JSON.stringify(name)}: ${JSON.stringify(example)}`).join(',\n')}\n}\n`
}
