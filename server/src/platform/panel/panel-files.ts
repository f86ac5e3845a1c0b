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

const BEING_BUILT = packed(
  'text/html; charset=utf-8',
  Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>Swapbell</title>
<meta http-equiv="refresh" content="1" /></head><body style="font-family: sans-serif; margin: 3rem">
<h1>The panel is being built</h1><p>This takes half a minute after the first start. The page opens by itself.</p></body></html>`),
)

/** It runs before access and limits: its files are public, and a page of many files must use up nobody's limit. */
export function installPanel(app: FastifyInstance, sendPanel: SendPanel): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === undefined && sendPanel(request, reply)) return reply
    return undefined
  })
}

/** False for a request that is for no file and no page. */
type SendPanel = (request: FastifyRequest, reply: FastifyReply) => boolean

/**
 * The page is sent for `/`, and to browsers for all other addresses. With the simulator, its head names the address
 * of the wall of phones. In a trial the panel may be built while we run: then a page says so until it is there.
 */
export async function openPanel(
  folder: string,
  { NODE_ENV, PUSH_PROVIDER, EXPO_BASE_URL }: Pick<Config, 'NODE_ENV' | 'PUSH_PROVIDER' | 'EXPO_BASE_URL'>,
  read = readPanelFiles(folder),
): Promise<SendPanel> {
  const wall = PUSH_PROVIDER === 'simulator' ? EXPO_BASE_URL : undefined
  const isTrial = NODE_ENV === 'development'
  let panel = await readPanel(folder, wall, read)
  const reload = async () => {
    const stamp = await readStamp(folder)
    if (stamp !== undefined && stamp !== panel.stamp) panel = await readPanel(folder, wall)
  }
  return (request, reply) => {
    const { files, page = isTrial ? BEING_BUILT : undefined } = panel
    const [path = '/'] = request.url.split('?', 1)
    const file = path === '/index.html' ? undefined : files.get(path)
    if (!['GET', 'HEAD'].includes(request.method) || page === undefined) return false
    if (file !== undefined) {
      // The names of assets hold a hash of their content.
      const keep = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      sendFile(request, reply.header('Cache-Control', keep), file)
      return true
    }
    const isForPage = path === '/' || request.headers.accept?.includes('text/html') === true
    if (!isForPage || /^\/(?:api|docs)(?:\/|$)/.test(path)) return false
    if (isTrial) void reload()
    sendFile(request, reply.headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }), page)
    return true
  }
}

/** The panel's build compresses its files. */
type File = { type: string; body: Buffer; gzipped?: Buffer }
/** `stamp` tells one build from the next; it is there once a build is complete. */
type Panel = { files: Map<string, File>; page: File | undefined; stamp: string | undefined }

async function readPanel(folder: string, wall: string | undefined, read = readPanelFiles(folder)): Promise<Panel> {
  const stamp = await readStamp(folder)
  const files = await read
  const built = files.get('/index.html')
  return { files, stamp, page: built && wall !== undefined ? withMeta(built, 'wall', wall) : built }
}

async function readStamp(folder: string): Promise<string | undefined> {
  return readFile(join(folder, '.built'), 'utf8').catch(() => undefined)
}

export async function readPanelFiles(folder: string): Promise<Map<string, File>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const known = paths.filter((path) => extname(path) in MEDIA_TYPES)
  return new Map(
    await Promise.all(known.map(async (path) => [path.slice(folder.length), await readPacked(path)] as const)),
  )
}

async function readPacked(path: string): Promise<File> {
  const type = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream'
  const [body, gzipped] = await Promise.all([readFile(path), readFile(`${path}.gz`).catch(() => undefined)])
  return { type, body, ...(gzipped && { gzipped }) }
}

function packed(type: string, body: Buffer): File {
  return { type, body, gzipped: gzipSync(body) }
}

function withMeta({ type, body }: File, name: string, address: string): File {
  const content = new URL(address).href.replaceAll('&', '&amp;').replaceAll('"', '%22')
  const html = body
    .toString('utf8')
    .replace('</head>', () => `  <meta name="${name}" content="${content}" />\n  </head>`)
  return packed(type, Buffer.from(html))
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, { type, body, gzipped }: File): void {
  const isPacked = gzipped !== undefined && /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  void reply.code(200).type(type).header('Vary', 'Accept-Encoding')
  if (isPacked) void reply.header('Content-Encoding', 'gzip')
  void reply.send(isPacked ? gzipped : body)
}
