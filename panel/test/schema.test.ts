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
  const lines = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId }]) => `  ${operationId}: ['${method.toUpperCase()}', '${path}'],\n`,
    ),
  )
  const text = `${WRITTEN}export const OPERATIONS = {\n${lines.toSorted().join('')}} as const\n`
  await expect(text).toMatchFileSnapshot('../../client/src/operations.ts')
})

const WRITTEN = "// Written by panel/test/schema.test.ts from the API's own document.\n"

type Described = { paths: Record<string, Record<string, { operationId: string }>> }

function withoutExamples(document: Described): unknown {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (/^examples?$/.test(key) ? undefined : value)))
}

async function describedBy(app: App): Promise<Described> {
  return (await app.inject('/api/openapi.json')).json<Described>()
}
