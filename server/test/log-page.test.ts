import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname

test('docs/operations.md quotes the log lines as the code writes them', async () => {
  const page = await readFile(`${ROOT}docs/operations.md`, 'utf8')
  const table = /Set an alarm for these lines:\n\n([^]*?)\n\n/.exec(page)?.[1] ?? ''
  const rows = table.split('\n').slice(2)
  const quoted = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  )
  expect(quoted.length).toBeGreaterThan(10)

  let code = ''
  for await (const file of glob('server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }))
    code += await readFile(`${ROOT}${file}`, 'utf8')
  // An ellipsis stands for what the code fills in.
  const missing = quoted.filter((text) => !text.split('…').every((part) => code.includes(part)))
  expect(missing).toEqual([])
})
