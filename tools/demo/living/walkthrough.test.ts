// Slow: torture, the demonstration or the load.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { test } from '../../../server/test/support/app.ts'
import { DEMO_PASSWORD, demoEmail } from '../accounts.ts'

const TUTORIAL = new URL('../../../docs/tutorial.md', import.meta.url)

test('the ten calls of docs/tutorial.md lead two people from a like to a completed swap', async ({ service }) => {
  const { db, passwords } = service.deps
  await db.insertInto('categories').values({ category_id: 1, slug: 'home', name: 'Home' }).execute()
  const password_hash = await passwords.hash(DEMO_PASSWORD)
  const people = [1, 2].map((number) => ({
    username: `demo${number}`,
    email: demoEmail(number),
    name: `Demo ${number}`,
    password_hash,
  }))
  await db.insertInto('users').values(people).execute()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })

  const tutorial = await readFile(TUTORIAL, 'utf8')
  const script = /## From a like to a swap[^]*?```sh\n([^]*?)```/.exec(tutorial)?.[1] ?? ''
  expect(script.match(/call (?:GET|POST|PUT) /g)).toHaveLength(10)
  const { stdout } = await promisify(execFile)('sh', ['-c', script.replace('http://127.0.0.1:3000', url)])

  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { success: boolean; data: object })
  expect(answers.map(({ success }) => success)).toEqual([true, true, true, true, true])
  expect(answers[1]?.data).toMatchObject({ is_match: true })
  expect(answers.at(-1)?.data).toMatchObject({ status: 'completed', confirmed: { me: true, other: true } })
})
