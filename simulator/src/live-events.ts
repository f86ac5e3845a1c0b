import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { notificationId } from './ledger.ts'
import type { Recent, State } from './state.ts'

/** The live view: server-sent events to every open page. */
export type LiveEvents = { attach(response: ServerResponse): void; close(): void }

const EVERY_MS = 250
const MOST_AT_ONCE = 100
const MOST_UNREAD_BYTES = 1 << 20

/** Sends what was newly accepted four times a second, at most 100 messages at once, and only while a page looks on. */
export function createLiveEvents(state: State): LiveEvents {
  const pages = new Set<ServerResponse>()
  let sent = 0
  let shownLedger = state.ledger
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    const restarted = state.ledger !== shownLedger
    if (restarted) sent = 0
    shownLedger = state.ledger
    const fresh = state.recent.filter((recent) => recent.sequence > sent).slice(-MOST_AT_ONCE)
    if (fresh.length === 0 && !restarted) return
    sent = state.ledger.count
    const event = restarted ? 'reset' : 'pushes'
    for (const page of pages) write(page, event, state, fresh)
  }

  return {
    attach(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      if (pages.size === 0) {
        sent = state.ledger.count
        shownLedger = state.ledger
        timer = setInterval(tick, EVERY_MS)
      }
      pages.add(response)
      write(response, 'reset', state, state.recent.filter(({ sequence }) => sequence <= sent).slice(-MOST_AT_ONCE))
      response.on('close', () => {
        pages.delete(response)
        if (pages.size === 0) clearInterval(timer)
      })
    },
    close() {
      clearInterval(timer)
      for (const page of pages) page.destroy()
    },
  }
}

function write(page: ServerResponse, event: string, state: State, recents: Recent[]): void {
  // A page that does not read misses events; it must not fill our memory.
  if (page.writableLength > MOST_UNREAD_BYTES) return
  const totals = { accepted: state.ledger.count, duplicates: state.ledger.duplicates }
  page.write(`event: ${event}\ndata: ${JSON.stringify({ totals, pushes: recents.map(shown) })}\n\n`)
}

/** What a page may see: never the whole token. */
function shown({ sequence, time, token, fields }: Recent) {
  return {
    sequence,
    time,
    phone: createHash('sha256').update(token).digest('base64url').slice(0, 12),
    name: masked(token),
    title: text(fields['title']),
    body: text(fields['body']),
    badge: typeof fields['badge'] === 'number' ? fields['badge'] : null,
    collapseId: text(fields['collapseId']),
    tag: text(fields['tag']),
    notificationId: text(notificationId(fields)),
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 300) : null
}

/** The last characters of what stands in the brackets, six or half of it. */
function masked(token: string): string {
  const inside = token.replace(/^.*\[|\]$/g, '')
  return `…${inside.slice(-Math.min(6, Math.ceil(inside.length / 2)))}`
}
