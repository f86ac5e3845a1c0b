import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { installErrorHandler } from '../http/error-handler.ts'
import { createRateLimits, installRateLimits } from '../limits/rate-limit.ts'
import { installPanel, openPanel } from './panel-files.ts'

test('the front page is for everyone, other pages are for browsers', async ({ service }) => {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-panel-'))
  await writeFile(join(folder, 'index.html'), '<html><head></head></html>')
  const app = Fastify()
  installPanel(app, await openPanel(folder, service.deps.config))
  const ask = async (method: 'GET' | 'HEAD' | 'POST', url: string) =>
    (await app.inject({ method, url, headers: { accept: '*/*' } })).statusCode
  expect(await ask('GET', '/')).toBe(200)
  expect(await ask('HEAD', '/')).toBe(200)
  expect(await ask('POST', '/')).toBe(404)
  expect(await ask('GET', '/users')).toBe(404)
  await app.close()
  await rm(folder, { recursive: true })
})

test('a file is sent as the build compressed it, to who reads that', async ({ service }) => {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-panel-'))
  await writeFile(join(folder, 'index.html'), '<html></html>')
  for (const [name, content] of Object.entries({ 'a.js': 'export {}', 'a.js.gz': 'compressed', 'b.js': 'plain' }))
    await writeFile(join(folder, name), content)
  const app = Fastify()
  installPanel(app, await openPanel(folder, service.deps.config))
  const ask = async (url: string, encoding: string) => {
    const { body, headers } = await app.inject({ url, headers: { 'accept-encoding': encoding } })
    return [body, headers['content-encoding']]
  }
  expect(await ask('/a.js', 'br, gzip')).toEqual(['compressed', 'gzip'])
  expect(await ask('/a.js', 'br')).toEqual(['export {}', undefined])
  expect(await ask('/b.js', 'gzip')).toEqual(['plain', undefined])
  await app.close()
  await rm(folder, { recursive: true })
})

test('in a trial a page says that the panel is being built, and the panel takes its place once it is complete', async ({
  service,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-panel-'))
  const app = Fastify()
  installPanel(app, await openPanel(folder, { ...service.deps.config, NODE_ENV: 'development' }))
  const front = async () => (await app.inject({ url: '/', headers: { accept: 'text/html' } })).body
  expect(await front()).toContain('The panel is being built')
  await writeFile(join(folder, 'index.html'), '<html><head></head>the panel</html>')
  await front()
  expect(await front()).toContain('http-equiv="refresh"')
  await writeFile(join(folder, '.built'), 'of these sources')
  await expect.poll(front).toContain('the panel</html>')
  await app.close()
  await rm(folder, { recursive: true })
})

test('the files of the panel use up no limit; unknown addresses do', async ({ service }) => {
  const { db, clock, log, config } = service.deps
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-panel-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<html><head></head></html>')
  await writeFile(join(folder, 'assets', 'a.js'), 'export {}')
  const limits = createRateLimits({ db, clock, log, config: { ...config, RATE_LIMITS: 'on' } })
  const app = Fastify()
  installErrorHandler(app, [], async () => undefined)
  installPanel(app, await openPanel(folder, config))
  app.decorateRequest('principal', null)
  installRateLimits(app, limits)
  const ask = async (url: string, count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, () =>
        app.inject({ url, remoteAddress: '192.0.2.7', headers: { accept: 'text/html' } }),
      ),
    )
    return [...new Set(answers.map(({ statusCode }) => statusCode))].toSorted((one, other) => one - other)
  }
  expect(await ask('/assets/a.js', 700)).toEqual([200])
  expect(await ask('/users', 700)).toEqual([200])
  expect(await ask('/api/nowhere', 650)).toEqual([404, 429])
  await app.close()
  await limits.close()
  await rm(folder, { recursive: true })
})
