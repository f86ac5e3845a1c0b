import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file of the page with its headers. */
export type PageFile = { headers: Record<string, string>; body: string }

const FOLDER = join(import.meta.dirname, '../../page')

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The files of the page by their paths, `/` and `/page/…`. They are few and small, and they are sent as they are. */
export function loadPage(): Map<string, PageFile> {
  const names = readdirSync(FOLDER).filter((name) => extname(name) in MEDIA_TYPES)
  return new Map(names.map((name) => [name === 'index.html' ? '/' : `/page/${name}`, load(name)]))
}

function load(name: string): PageFile {
  const headers = {
    'content-type': MEDIA_TYPES[extname(name)] ?? '',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  return { headers, body: readFileSync(join(FOLDER, name), 'utf8') }
}
