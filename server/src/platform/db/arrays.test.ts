import { maxSafeInteger, sample, string } from 'fast-check'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { int8Array, textArray } from './arrays.ts'

const AWKWARD = ['null', 'NULL', '', '{}', '"', '\\', '\\"', 'a,b', ' x ', 'é', '\n', null]

test('numbers and texts of any kind come back from PostgreSQL as they went', async () => {
  const client = new Client(inject('postgresUrl'))
  await client.connect()
  const storable = string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
  const texts = [...AWKWARD, ...sample(storable, 500)]
  const numbers = [null, ...sample(maxSafeInteger(), 500)]
  const { rows } = await client.query('select to_json($1::bigint[]) as numbers, to_json($2::text[]) as texts', [
    int8Array(numbers),
    textArray(texts),
  ])
  expect(rows).toEqual([{ numbers, texts }])
  await client.end()
})
