import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from './build.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'client/src')
const FILES = ['schema.ts', 'app-operations.ts', 'administration-operations.ts'] as const
const SOURCES = [
  'server/src/**/*.ts',
  'tools/contract/describe.ts',
  'panel/client.ts',
  'package.json',
  'package-lock.json',
]

/** Writes the types and the calls of the client, unless they were written from the same sources already. */
export async function writeClient(): Promise<void> {
  const head = `// Written by panel/client.ts from ${await fingerprint(ROOT, SOURCES)}\n`
  const written = await Promise.all(FILES.map((file) => readFile(join(FOLDER, file), 'utf8').catch(() => '')))
  if (written.every((text) => text.startsWith(head))) return
  const texts = await composeClient()
  await Promise.all(FILES.map((file) => writeFile(join(FOLDER, file), head + texts[file])))
}

type Operation = { operationId: string; responses: Record<string, { content?: Record<string, unknown> }> }

async function composeClient(): Promise<Record<(typeof FILES)[number], string>> {
  const { describeApi } = await import('../tools/contract/describe.ts')
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const document = withoutExamples(await describeApi())
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, text: describeCall(method, path, operation) })),
  )
  return {
    'schema.ts': astToString(await openapiTypescript(document as never)),
    'app-operations.ts': listCalls(
      'APP_OPERATIONS',
      calls.filter((call) => !isForAdministrators(call)),
    ),
    'administration-operations.ts': listCalls('ADMINISTRATION_OPERATIONS', calls.filter(isForAdministrators)),
  }
}

function isForAdministrators({ path }: { path: string }): boolean {
  return path.startsWith('/api/admin')
}

function describeCall(method: string, path: string, { operationId, responses }: Operation): string {
  const isStream = responses['200']?.content?.['text/event-stream'] !== undefined
  return `  ${operationId}: ['${method.toUpperCase()}', '${path}'${isStream ? ", 'stream'" : ''}],\n`
}

function listCalls(name: string, calls: { text: string }[]): string {
  const lines = calls.map(({ text }) => text).toSorted()
  return `export const ${name} = {\n${lines.join('')}} as const\n`
}

function withoutExamples(document: object): { paths: Record<string, Record<string, Operation>> } {
  return JSON.parse(
    JSON.stringify(document, (key, value: unknown) => (/^examples?$/.test(key) ? undefined : value)),
  ) as { paths: Record<string, Record<string, Operation>> }
}

if (import.meta.main) await writeClient()
