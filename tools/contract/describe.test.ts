import { expect } from 'vitest'
import { test } from '../../server/test/support/app.ts'
import { describeApi } from './describe.ts'

test('the description that needs no database is the one that the service sends', async ({ app }) => {
  expect(await describeApi()).toEqual((await app.inject('/api/openapi.json')).json())
})
