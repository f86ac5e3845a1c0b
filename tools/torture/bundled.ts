import { createHash } from 'node:crypto'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

// They have the most files. What else is a package stays where it is: a preload may change it, and it may have files.
const INSIDE = /^(?:kysely|typebox)$/

// The processes of one run share it.
const bundles = new Map<string, Promise<string>>()

/** The service of a checkout in a few files: to find and read 1,100 modules takes half of what a start takes. */
export function bundledService(release: string): Promise<string> {
  const known = bundles.get(release) ?? bundle(join(release, 'server/src/main.ts'))
  bundles.set(release, known)
  return known
}

/** Their folder is named after what they hold, so that Node's cache of compiled code knows them again. */
async function bundle(main: string): Promise<string> {
  const made = await rolldown({ input: main, platform: 'node', logLevel: 'silent', plugins: [asFromSource] })
  const { output } = await made.generate({ format: 'esm', entryFileNames: 'main.js' })
  const files = output.map((file) => ({ name: file.fileName, text: file.type === 'chunk' ? file.code : file.source }))
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(name).update(text)
  const folder = join(tmpdir(), `swapbell-test-bundled-${hash.digest('hex').slice(0, 16)}`)
  const own = await mkdtemp(`${folder}-`)
  for (const { name, text } of files) await writeFile(join(own, name), text)
  // Another run may have made the same.
  await rename(own, folder).catch(() => rm(own, { recursive: true }))
  return join(folder, 'main.js')
}

/** Addresses of files and packages are those that the sources have. */
const asFromSource: Plugin = {
  name: 'as-from-source',
  resolveId: async function (source, importer, options) {
    if (/^[./]/.test(source) || isBuiltin(source) || INSIDE.test(source)) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && { id: pathToFileURL(found.id).href, external: true }
  },
  transform: (code, id) =>
    code.includes('import.meta.url') ? code.replaceAll('import.meta.url', `'${pathToFileURL(id).href}'`) : null,
}
