// Slow: a second or more for each test, or five for the file.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { freePort } from '../local-postgres/src/free-port.ts'
import { buildAnother } from '../server/test/support/build-app.ts'
import { configWith, describeSettings } from '../server/src/platform/config/config.ts'
import { test } from '../server/test/support/app.ts'
import { isInstalled } from '../server/test/support/programs.ts'

const PROXIES = fileURLToPath(new URL('../deploy/proxies/', import.meta.url))
const HOST = 'api.swapbell.example'
const run = promisify(execFile)

/** `checks`: whether it asks the processes how they are. `adapt`: on a port of its own, where FOLDER is writable. */
type Proxy = { name: string; file: string; checks: boolean; args: string[]; adapt(text: string, port: number): string }

const EXAMPLES: Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    checks: false,
    args: ['-e', 'stderr', '-c'],
    adapt: (text, port) => {
      const own = text.replaceAll(/listen .*80;/g, '').replaceAll(/listen \[.*/g, '')
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (of) => `${of}_temp_path FOLDER/${of};`,
      )
      return `daemon off; pid FOLDER/pid; events {} http { access_log off; ${temporary.join(' ')}
        ${own.replace('listen 443', `listen 127.0.0.1:${port}`)} }`
    },
  },
  {
    name: 'haproxy',
    file: 'haproxy.cfg',
    checks: true,
    args: ['-f'],
    adapt: (text, port) => text.replace('  bind :80\n', '').replace(':443', `127.0.0.1:${port}`),
  },
  {
    name: 'caddy',
    file: 'Caddyfile',
    checks: true,
    args: ['run', '--adapter', 'caddyfile', '--config'],
    adapt: (text, port) =>
      `{\nadmin off\nauto_https disable_redirects\n}\n${text.replace(`${HOST} {`, `https://${HOST}:${port} {\ntls FOLDER/fullchain.pem FOLDER/privkey.pem`)}`,
  },
]

describe('The examples of proxies', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swapbell-proxies-'))
    const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
    const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`, '-days', '1', '-nodes']
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, '-keyout', key, '-out', certificate])
    const texts = await Promise.all([certificate, key].map((file) => readFile(file, 'utf8')))
    await writeFile(join(folder, 'site.pem'), texts.join(''))
  })
  afterAll(async () => rm(folder, { recursive: true }))

  const placed = async (name: string) =>
    (await readFile(join(PROXIES, name), 'utf8')).replaceAll('/etc/ssl/swapbell', folder)

  test.skipIf(!isInstalled('nginx'))('nginx accepts its file', async () => {
    const main = join(folder, 'nginx.conf')
    await writeFile(join(folder, 'site.conf'), await placed('nginx.conf'))
    await writeFile(main, `pid ${folder}/pid;\nevents {}\nhttp { access_log off; include ${folder}/site.conf; }\n`)
    const { stderr } = await run('nginx', ['-t', '-e', 'stderr', '-c', main])
    expect(stderr).toContain('test is successful')
    expect(stderr).not.toMatch(/warn|deprecated/)
  })

  test.skipIf(!isInstalled('haproxy'))('HAProxy accepts its file', async () => {
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, await placed('haproxy.cfg'))
    const { stdout, stderr } = await run('haproxy', ['-c', '-f', file])
    expect(stdout).toContain('Configuration file is valid')
    expect(stderr).not.toMatch(/WARNING|ALERT/)
  })

  test.skipIf(!isInstalled('caddy'))('Caddy accepts its file', async () => {
    await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(PROXIES, 'Caddyfile')])
  })

  // At once: a proxy checks the processes every few seconds.
  test.concurrent.for(EXAMPLES)(
    'lead to processes of production, which say once that only TLS counts: $name',
    async ({ name, file, checks, args, adapt }, { deps, skip, onTestFinished }) => {
      if (!isInstalled(name)) skip(`${name} is not installed`)
      const config = configWith({ ...deps.config, NODE_ENV: 'production', ALLOWED_HOSTS: [HOST] })
      const { app } = await buildAnother({ ...deps, config })
      onTestFinished(() => app.close())
      const service = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
      const asked: (string | undefined)[] = []
      app.server.on('request', ({ headers }) => asked.push(headers['x-forwarded-for']?.toString()))
      const port = await freePort()
      const place = join(folder, `own-${file}`)
      const text = adapt(await placed(file), port).replaceAll(/127\.0\.0\.1:300[01]/g, service.host)
      await writeFile(place, text.replaceAll('FOLDER', folder))
      const proxy = spawn(name, [...args, place], { stdio: 'ignore', env: { ...process.env, HOME: folder } })
      const ended = once(proxy, 'exit')
      onTestFinished(async () => {
        proxy.kill('SIGTERM')
        await ended
      })
      // The proxy takes both processes for unwell after this many checks.
      await vi.waitUntil(() => !checks || asked.length > 6, { timeout: 300_000 })
      // On a busy machine the process is not ready at first: its first connection to the database takes too long.
      const ready = async () => {
        const answer = await readyThrough(port, join(folder, 'fullchain.pem'))
        expect(answer.statusCode).toBe(200)
        return answer
      }
      const answer = await vi.waitFor(ready, { timeout: 300_000 })
      expect(asked).toContain('127.0.0.1')
      const said = answer.rawHeaders.filter((header) => /^strict-transport-security$/i.test(header))
      expect(said).toHaveLength(1)
    },
  )

  test('keep idle connections as long as the service expects, believe no client’s address, and pass streams on', async () => {
    const texts = await Promise.all(['nginx.conf', 'haproxy.cfg', 'Caddyfile'].map(placed))
    const seconds = describeSettings().find(({ name }) => name === 'PROXY_KEEP_ALIVE_SECONDS')?.fallback
    const kept = texts.map((text) => /(?:keepalive_timeout|pool-purge-delay|keepalive) (\d+)s;?$/m.exec(text)?.[1])
    expect(kept).toEqual(texts.map(() => seconds))
    expect(texts[0]).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(texts[1]).toMatch(/del-header X-Forwarded-For\n[\s\S]*option forwardfor/)
    expect(texts[0]).toContain('proxy_buffering off;')
    expect(texts[2]).toContain('flush_interval -1')
  })
})

async function readyThrough(port: number, certificate: string): Promise<IncomingMessage> {
  const ca = await readFile(certificate)
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/api/ready',
    servername: HOST,
    headers: { host: HOST },
    ca,
    agent: false,
  })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}
