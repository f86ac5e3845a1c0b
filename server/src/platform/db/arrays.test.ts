import { maxSafeInteger, sample } from 'fast-check'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { int8Array } from './arrays.ts'

test('numbers of any size, and null, come back from PostgreSQL as they went', async () => {
  const client = new Client(inject('postgresUrl'))
  await client.connect()
  const numbers = [null, ...sample(maxSafeInteger(), 500)]
  const { rows } = await client.query('select to_json($1::bigint[]) as numbers', [int8Array(numbers)])
  expect(rows).toEqual([{ numbers }])
  await client.end()
})
