import { globSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { test } from './support/app.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the packages, their lockfile, the API’s description, the changelog and the manifests have one version', async ({
  app,
}) => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const root = new URL('../..', import.meta.url).pathname
  const manifests = globSync('*/package.json', { cwd: root })
  expect(manifests.length).toBeGreaterThan(4)
  for (const path of manifests) expect.soft(JSON.parse(read(path)), path).toMatchObject({ version })
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> }
  for (const path of ['', ...manifests.map((one) => one.replace('/package.json', ''))])
    if (packages[path]) expect.soft(packages[path].version, `package-lock.json ${path}`).toBe(version)
  expect((await app.inject('/api/openapi.json')).json()).toMatchObject({ info: { version } })
  const [, newest] = /^## (?:Unreleased: )?(\d+\.\d+\.\d+)/m.exec(read('CHANGELOG.md')) ?? []
  expect(newest).toBe(version)
  expect(read('deploy/kubernetes/base/kustomization.yaml')).toContain(`newTag: ${version}\n`)
})
