// Slow: a second or more for each test, or five for the file.
import openapiTypescript, { astToString } from 'openapi-typescript'
import { expect } from 'vitest'
import type { App } from '../../server/src/platform/http/routes.ts'
import { test } from '../../server/test/support/app.ts'

test('docs/openapi.json is the document that is served (npm test -- panel/test -u writes it)', async ({ app }) => {
  const document = await describedBy(app)
  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot('../../docs/openapi.json')
})

test('the types of the client are those of the document (npm test -- panel/test -u writes them)', async ({ app }) => {
  const types = astToString(await openapiTypescript(withoutExamples(await describedBy(app)) as never))
  await expect(`${WRITTEN}${types}`).toMatchFileSnapshot('../../client/src/schema.ts')
})

test('the calls of the client are those of the document (npm test -- panel/test -u writes them)', async ({ app }) => {
  const { paths } = await describedBy(app)
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, text: `  ${callOf(method, path, operation)},\n` })),
  )
  const [forAdministrators, forApps] = split(calls, ({ path }) => path.startsWith('/api/admin'))
  for (const [name, some] of [
    ['app', forApps],
    ['administration', forAdministrators],
  ] as const) {
    const lines = some.map(({ text }) => text).toSorted()
    const text = `${WRITTEN}export const ${name.toUpperCase()}_OPERATIONS = {\n${lines.join('')}} as const\n`
    await expect(text).toMatchFileSnapshot(`../../client/src/${name}-operations.ts`)
  }
})

const WRITTEN = "// Written by panel/test/schema.test.ts from the API's own document.\n"

type Operation = { operationId: string; responses: Record<string, { content?: Record<string, unknown> }> }
type Described = { paths: Record<string, Record<string, Operation>> }

function callOf(method: string, path: string, { operationId, responses }: Operation): string {
  const isStream = responses['200']?.content?.['text/event-stream'] !== undefined
  return `${operationId}: ['${method.toUpperCase()}', '${path}'${isStream ? ", 'stream'" : ''}]`
}

function split<T>(all: T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

function withoutExamples(document: Described): unknown {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (/^examples?$/.test(key) ? undefined : value)))
}

async function describedBy(app: App): Promise<Described> {
  return (await app.inject('/api/openapi.json')).json<Described>()
}
