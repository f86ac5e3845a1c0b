import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The page of phones as one HTML file, with headers that allow only its own script. */
export function loadWall(): { html: string; headers: Record<string, string> } {
  const script = text(new URL('./wall.client.js', import.meta.url))
  const style = text(new URL('./wall.css', import.meta.url))
  const page = text(new URL('./wall.html', import.meta.url))
  const html = filled(filled(page, '/*STYLE*/', style), '/*SCRIPT*/', script)
  const policy = [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  return { html, headers }
}

/**
 * The page with the content at its marker and no blanks around it, because the policy has the hash of the content
 * alone.
 */
function filled(page: string, marker: string, content: string): string {
  const [before = '', after = ''] = page.split(marker)
  return before.trimEnd() + content + after.trimStart()
}

function text(file: URL): string {
  return readFileSync(file, 'utf8')
}

function hash(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
