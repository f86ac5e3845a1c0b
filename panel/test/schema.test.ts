import openapiTypescript, { astToString } from 'openapi-typescript'
import { expect } from 'vitest'
import { test } from '../../server/test/support/app.ts'

test('docs/openapi.json is the document that is served (npm test -- panel/test -u writes it)', async ({ app }) => {
  const document: unknown = (await app.inject('/api/openapi.json')).json()
  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot('../../docs/openapi.json')
})

test('the panel’s types of the API are those of its document (npm test -- panel/test -u writes them)', async ({
  app,
}) => {
  const document = (await app.inject('/api/openapi.json')).json<Record<string, unknown>>()
  const types = astToString(await openapiTypescript(document as never))
  await expect(`// Written by panel/test/schema.test.ts from the API's own document.\n${types}`).toMatchFileSnapshot(
    '../src/api/schema.ts',
  )
})
