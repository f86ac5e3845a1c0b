import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

// Inline styles are those of the component library; scripts come from files alone.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' https: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the panel at the addresses that no route has. It is installed before access and limits: its files are public,
 * and a page of many files must use up nobody's limit.
 */
export function installPanel(app: FastifyInstance, sendPanel: SendPanel): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === undefined && sendPanel(request, reply)) return reply
    return undefined
  })
}

/** Sends a file of the panel, or its page; false for a request that is for neither. */
type SendPanel = (request: FastifyRequest, reply: FastifyReply) => boolean

/**
 * Reads the built panel from `folder`. Its files are sent under their names, and its page for every other address
 * outside of `/api` and `/docs` that a browser opens, because the panel finds its own way there. Without a built panel
 * nothing is sent. The files are few and small, so they are kept in memory. In a trial the page names the address of
 * the wall of phones in its head: the simulator's own page. Production never runs on the simulator.
 */
export async function openPanel(
  folder: string,
  { PUSH_PROVIDER, EXPO_BASE_URL }: Pick<Config, 'PUSH_PROVIDER' | 'EXPO_BASE_URL'>,
): Promise<SendPanel> {
  const files = await readFiles(folder)
  const wall = PUSH_PROVIDER === 'simulator' ? EXPO_BASE_URL : undefined
  const built = files.get('/index.html')
  const page = built && wall !== undefined ? withMeta(built, 'wall', wall) : built
  return (request, reply) => {
    const [path = '/'] = request.url.split('?', 1)
    const file = path === '/index.html' ? undefined : files.get(path)
    if (request.method !== 'GET' || page === undefined) return false
    if (file !== undefined) {
      // The names of assets hold a hash of their content.
      const keep = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      sendFile(request, reply.header('Cache-Control', keep), file)
      return true
    }
    if (/^\/(?:api|docs)(?:\/|$)/.test(path) || request.headers.accept?.includes('text/html') !== true) return false
    sendFile(request, reply.headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }), page)
    return true
  }
}

type File = { type: string; body: Buffer; gzipped: Buffer }

async function readFiles(folder: string): Promise<Map<string, File>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const known = paths.filter((path) => extname(path) in MEDIA_TYPES)
  return new Map(
    await Promise.all(known.map(async (path) => [path.slice(folder.length), await readPacked(path)] as const)),
  )
}

async function readPacked(path: string): Promise<File> {
  return packed(MEDIA_TYPES[extname(path)] ?? 'application/octet-stream', await readFile(path))
}

function packed(type: string, body: Buffer): File {
  return { type, body, gzipped: gzipSync(body) }
}

/** The page with an address in its head. */
function withMeta({ type, body }: File, name: string, address: string): File {
  const content = new URL(address).href.replaceAll('&', '&amp;').replaceAll('"', '%22')
  const html = body
    .toString('utf8')
    .replace('</head>', () => `  <meta name="${name}" content="${content}" />\n  </head>`)
  return packed(type, Buffer.from(html))
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, { type, body, gzipped }: File): void {
  const isPacked = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  void reply.code(200).type(type).header('Vary', 'Accept-Encoding')
  if (isPacked) void reply.header('Content-Encoding', 'gzip')
  void reply.send(isPacked ? gzipped : body)
}
