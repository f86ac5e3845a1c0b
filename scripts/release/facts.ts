import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from '../../tools/contract/describe.ts'
import { isReleased } from '../../tools/contract/released.ts'

/** Why this commit is no release; each fault is a sentence. */
export async function findFaults(root: string): Promise<{ version: string; faults: string[] }> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const json = (path: string) => JSON.parse(read(path)) as { version?: string }
  const { version = '' } = json('package.json')
  const faults: string[] = []
  for (const path of globSync('*/package.json', { cwd: root }))
    if (json(path).version !== version) faults.push(`${path} has another version than package.json.`)
  try {
    readNotes(read('CHANGELOG.md'), version)
  } catch (error) {
    faults.push((error as Error).message)
  }
  if (!isReleased(await describeApi()))
    faults.push('The released description is another one: run npm run contract -- release.')
  if (git(root, 'status', '--porcelain') !== '') faults.push('There are changes that are not committed.')
  if (!git(root, 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    faults.push(`This commit has no tag v${version}.`)
  return { version, faults }
}

/** The section of a version. */
export function readNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m)
  const own = sections.find((section) => section.split(/[\s\n]/, 1)[0] === version)
  if (own === undefined) throw new Error(`The changelog has no section ${version}.`)
  const text = own.slice(own.indexOf('\n')).trim()
  if (text === '') throw new Error(`The section ${version} of the changelog is empty.`)
  const open = sections.find((section) => section.startsWith('Unreleased'))
  if (open !== undefined && open.includes('\n- ')) throw new Error('The changelog has changes that are not released.')
  return `${text}\n`
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
