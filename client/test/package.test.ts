// Slow: it builds the package and three programs that use it.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rolldown } from 'rolldown'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const CONSUMERS = join(import.meta.dirname, 'consumers')
const folder = mkdtempSync(join(tmpdir(), 'swapbell-client-'))

/** The package as `npm install` lays it, in a folder above which there is no other. */
beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--pack-destination', folder, '--json'], { cwd: join(ROOT, 'client') })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const target = join(folder, 'node_modules/@swapbell/client')
  mkdirSync(target, { recursive: true })
  await run('tar', ['xzf', join(folder, basename(filename)), '-C', target, '--strip-components=1'])
})
afterAll(() => rmSync(folder, { recursive: true }))

test('an Expo app compiles with it, and so does the code of docs/mobile.md and of its README', async () => {
  const app = join(folder, 'expo')
  for (const page of ['docs/mobile.md', 'client/README.md']) writeBlocks(page, join(app, page.replaceAll('/', '-')))
  cpSync(CONSUMERS, app, { recursive: true })
  cpSync(join(app, 'expo.json'), join(app, 'tsconfig.json'))
  await compile(app)
})

test('a program for Node compiles with it, is told what it misspells, and runs', async () => {
  const program = join(folder, 'node')
  mkdirSync(program)
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }')
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] }
  const options = { ...compilerOptions, lib: ['es2023', 'dom', 'dom.iterable'], allowJs: true, checkJs: true }
  writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  const main = join(program, 'main.js')
  writeFileSync(main, PROGRAM)
  await compile(program)
  const { stdout } = await run(process.execPath, [main])
  expect(stdout.trim()).toBe('UNREACHABLE function function')
  writeFileSync(main, PROGRAM.replace('getHealth', 'getHelth').replace("'UNREACHABLE'", "'UNREACHEABLE'"))
  await expect(compile(program)).rejects.toThrow(/getHelth[^]*UNREACHEABLE/)
})

const PROGRAM = `import { createClient, follow, isRefusal } from '@swapbell/client'
import { createClient as createAdministration } from '@swapbell/client/administration'
// Nobody listens on port 1.
const settings = { baseUrl: 'http://127.0.0.1:1' }
try {
  await createClient(settings).getHealth()
} catch (error) {
  if (!isRefusal(error) || error.code !== 'UNREACHABLE') throw error
  console.log(error.code, typeof follow, typeof createAdministration(settings).listUsers)
}
`

test('a bundle of an app has no call of administrators', async () => {
  const entry = join(folder, 'bundled.js')
  writeFileSync(
    entry,
    `import { createClient } from '@swapbell/client'\nexport const api = createClient({ baseUrl: '' })\n`,
  )
  const bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(output[0].code).toContain('/api/v1/stream')
  expect(output[0].code).not.toContain('/api/admin')
  expect(output[0].code.length).toBeLessThan(12_000)
})

async function compile(folderOfProgram: string): Promise<void> {
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folderOfProgram]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout)
  })
}

/** Each block of TypeScript of a page is a file; its first line says which. */
function writeBlocks(page: string, target: string): void {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const blocks = [...text.matchAll(/^```tsx?\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  if (blocks.length === 0) throw new Error(`${page} has no TypeScript.`)
  for (const code of blocks) {
    const [, name] = /^\/\/ (\S+\.tsx?)\n/.exec(code) ?? []
    if (name === undefined) throw new Error(`A block of ${page} does not say in its first line which file it is.`)
    mkdirSync(dirname(join(target, name)), { recursive: true })
    writeFileSync(join(target, name), code)
  }
}
