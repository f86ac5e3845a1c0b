// Slow: a second or more for each test, or five for the file.
import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import recorded from '../src/platform/openapi/answer-examples.json' with { type: 'json' }
import { allowedHeaders, make } from './support/callers.ts'
import { callsOf, givenWorld, type Call } from './support/calls.ts'
import { STORY_SETTINGS, signInWithFactor, signInWithKey, tellStory } from './support/example-story.ts'
import { recordAnswers, shapeOf } from './support/examples.ts'
import { mailTest, startMailService, type MailService } from './support/mail.ts'
import { documentOf, operationOf } from './support/openapi.ts'
import type { Service } from './support/service.ts'

const FILE = new URL('../src/platform/openapi/answer-examples.json', import.meta.url)

const test = mailTest.extend<'service', MailService>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startMailService(STORY_SETTINGS)
  onCleanup(() => service.close())
  return service
})

test('examples of answers have the fields of the answers (EXAMPLES=write npm test -- server/test/examples.test.ts writes them)', async ({
  service,
}) => {
  const { app, clock } = service
  const document = await documentOf(app)
  const examples = recordAnswers(app, document, clock)
  await tellStory(service)
  const world = await givenWorld(service)
  for (const [name, call] of Object.entries(callsOf(world))) {
    const url = name.includes('/insight/') && !call.url.includes('?') ? `${call.url}?${DAYS}` : call.url
    const headers = await allowedHeaders(service, world, name)
    const [method = '', path = ''] = name.split(' ')
    const { parameters = [] } = operationOf(document, method, path) ?? {}
    if (parameters.some((parameter) => parameter.name === 'undoable')) await decideAndUndo(service, call, headers)
    await make(service, { ...call, url }, headers)
  }
  await signInWithFactor(service)
  await signInWithKey(service)
  if (process.env['EXAMPLES'] === 'write') writeFileSync(FILE, fileOf(examples))
  else expect(shapeOf(recorded)).toEqual(shapeOf(examples))
})

async function decideAndUndo(service: Service, call: Call, headers: Record<string, string>): Promise<void> {
  const held = await make(service, { ...call, url: `${call.url}?undoable=true` }, headers)
  expect.soft(held.statusCode, call.url).toBe(202)
  const url = `/api/admin/v1/decisions/${held.json<{ data: { id: number } }>().data.id}/undo`
  await make(service, { method: 'POST', url, status: 200 }, headers)
}

const DAYS = 'start_date=2026-03-01&end_date=2026-03-02'

function fileOf(examples: object): string {
  const lines = Object.entries(examples).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{\n${lines.map(([name, example]) => `${JSON.stringify(name)}: ${JSON.stringify(example)}`).join(',\n')}\n}\n`
}
