import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../local-postgres/src/free-port.ts'
import { isInstalled } from '../../../server/test/support/programs.ts'
import { startEnvironment, type EnvironmentOptions, type Missing, type PlainEnvironment } from '../environment.ts'
import { until } from '../../../server/test/support/until.ts'

/** A proxy before all processes of the API. */
/** `stop` returns the last lines of its log of errors, where it writes one. */
export type Proxy = { name: string; url: string; stop(): Promise<string[]> }

type Program = { name: string; args(file: string): string[]; settings(place: Place): string }
type Place = { port: number; webs: number[]; keepSeconds: number; folder: string }

const STARTS_WITHIN_MS = 30_000
const LOG_LINES = 5

const NGINX: Program = {
  name: 'nginx',
  args: (file) => ['-c', file, '-e', `${file}.log`],
  settings: ({ port, webs, keepSeconds, folder }) => `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      upstream api {
        ${webs.map((web) => `server 127.0.0.1:${web} fail_timeout=1s;`).join('\n')}
        keepalive 32;
        keepalive_timeout ${keepSeconds}s;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://api;
          proxy_http_version 1.1;
          proxy_set_header Host localhost;
          proxy_set_header Connection "";
        }
      }
    }`,
}

const HAPROXY: Program = {
  name: 'haproxy',
  args: (file) => ['-f', file],
  settings: ({ port, webs, keepSeconds }) => `
    defaults
      mode http
      option redispatch
      timeout check 60s
      timeout connect 2s
      timeout client 60s
      timeout server 60s
    frontend app
      bind 127.0.0.1:${port}
      default_backend api
    backend api
      option httpchk GET /api/ready
      http-check send hdr Host localhost
      default-server check inter 500ms fall 1 rise 1 pool-purge-delay ${keepSeconds}s
      ${webs.map((web) => `server web${web} 127.0.0.1:${web}`).join('\n      ')}
`,
}

/** A plain environment where both proxies are installed. */
export async function startWhereProxies(options: EnvironmentOptions): Promise<PlainEnvironment | Missing> {
  const missing = [NGINX, HAPROXY].filter(({ name }) => !isInstalled(name))
  if (missing.length > 0) return { missing: `not installed: ${missing.map(({ name }) => name).join(', ')}` }
  return startEnvironment(options)
}

/** Starts nginx and HAProxy before the processes at `webs`; both keep idle connections for so many seconds. */
export function startProxies(folder: string, webs: number[], keepSeconds: number): Promise<Proxy[]> {
  return Promise.all([NGINX, HAPROXY].map((program) => startProxy(program, { folder, webs, keepSeconds })))
}

async function startProxy(program: Program, place: Omit<Place, 'port'>): Promise<Proxy> {
  const { name } = program
  const folder = join(place.folder, name)
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const file = join(folder, `${name}.conf`)
  await writeFile(file, program.settings({ ...place, port, folder }))
  const child = spawn(name, program.args(file), { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  await until(`${name} answered`, STARTS_WITHIN_MS, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    return fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    const log = await readFile(`${file}.log`, 'utf8').catch(() => '')
    return log.trimEnd().split('\n').slice(-LOG_LINES)
  }
  return { name, url, stop }
}
