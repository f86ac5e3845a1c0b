import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { connect } from './connect.ts'
import { inOneMessage, unlessTooLong } from './one-message.ts'

describe('statements in one message', () => {
  test('give their rows each, and what is set for them ends with them', async ({ deps }) => {
    const setting = sql`select current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout`
    const before = await inOneMessage(deps, [setting])
    const told = await inOneMessage(deps, [setting, sql`select 1 as one`], { plans: 'by any index', patienceMs: 1_234 })
    expect(told).toEqual([[{ seqscan: 'off', timeout: '1234ms' }], [{ one: 1 }]])
    for (let n = 0; n < 10; n++) expect(await inOneMessage(deps, [setting])).toEqual(before)
  })

  test('leave nothing set when one fails, also when it takes too long', async ({ deps }) => {
    const setting = sql`select current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout`
    const before = await inOneMessage(deps, [setting])
    const slow = inOneMessage(deps, [sql`select pg_sleep(5)`], { plans: 'by matches', patienceMs: 20 })
    await expect(slow).rejects.toMatchObject({ code: '57014' })
    await expect(inOneMessage(deps, [sql`select 1 / 0`], { plans: 'by matches' })).rejects.toMatchObject({
      code: '22012',
    })
    for (let n = 0; n < 10; n++) expect(await inOneMessage(deps, [setting])).toEqual(before)
  })

  test('leave the connection open when one takes too long', async ({ deps }) => {
    const pool = connect(deps.config.DATABASE_URL, { max: 1, log: deps.log })
    try {
      const source = { db: deps.db, pool }
      const pid = sql`select pg_backend_pid() as pid`
      const before = await inOneMessage(source, [pid])
      const slow = inOneMessage(source, [sql`select pg_sleep(5)`], { plans: 'by matches', patienceMs: 20 })
      expect(await unlessTooLong(slow)).toBeUndefined()
      expect(await inOneMessage(source, [pid])).toEqual(before)
    } finally {
      await pool.end()
    }
  })

  test('return any text, number, instant and list unchanged', async ({ deps }) => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0') && one.isWellFormed())
    await fc.assert(
      fc.asyncProperty(text, fc.maxSafeInteger(), fc.boolean(), fc.array(text), async (word, number, flag, words) => {
        const statement = sql`select ${word}::text as word, ${number}::bigint as number, ${flag}::boolean as flag, ${words}::text[] as words`
        expect(await inOneMessage(deps, [statement])).toEqual([[{ word, number, flag, words }]])
      }),
      { examples: [[`'; drop table users; --`, -1, true, [`\\'`, `$1`, ``]]] },
    )
  })

  test('refuse a value that they cannot hold', async ({ deps }) => {
    await expect(inOneMessage(deps, [sql`select ${{ a: 1 }}`])).rejects.toThrow('a type that cannot be written')
  })
})
