import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeSettings } from '../server/src/platform/config/config.ts'
import { isInstalled } from '../server/test/support/programs.ts'

const PROXIES = fileURLToPath(new URL('../deploy/proxies/', import.meta.url))
const run = promisify(execFile)

describe('The examples of proxies', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swapbell-proxies-'))
    const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
    const subject = ['-subj', '/CN=api.swapbell.example', '-days', '1', '-nodes']
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
