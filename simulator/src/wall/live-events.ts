import type { ServerResponse } from 'node:http'
import type { State } from '../state.ts'
import { toView } from './view.ts'
import { watchRecent } from './wall.ts'

/** The live view: server-sent events to every open page. `attach` gives false when too many are open. */
export type LiveEvents = { attach(response: ServerResponse): boolean; close(): void }

const EVERY_MS = 250
const MOST_PAGES = 50
const MOST_UNREAD_BYTES = 1 << 20

/** Tells pages what changed four times a second, and only while a page looks on. */
export function createLiveEvents(state: State): LiveEvents {
  /** True: the page missed an event and needs everything. */
  const pages = new Map<ServerResponse, boolean>()
  let last = ''
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    const { wall } = state
    watchRecent(wall)
    const changed = [...wall.changed]
    wall.changed.clear()
    const totals = writeTotals(state)
    const isChanged = changed.length > 0 || totals !== last || wall.traffic.changed
    last = totals
    wall.traffic.changed = false
    let all: string | undefined
    let part: string | undefined
    for (const [page, isBehind] of pages) {
      if (!isChanged && !isBehind) continue
      // A page that does not read must not fill our memory: it gets everything once it reads again.
      const isStuck = page.writableLength > MOST_UNREAD_BYTES
      pages.set(page, isStuck)
      if (isStuck) continue
      page.write(isBehind ? (all ??= writeEvent(state)) : (part ??= writeEvent(state, changed)))
    }
  }

  return {
    attach(response) {
      if (pages.size >= MOST_PAGES) return false
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      watchRecent(state.wall)
      if (pages.size === 0) {
        state.wall.changed.clear()
        timer = setInterval(tick, EVERY_MS)
      }
      pages.set(response, false)
      response.write(writeEvent(state))
      response.on('close', () => {
        pages.delete(response)
        if (pages.size === 0) clearInterval(timer)
      })
      return true
    },
    close() {
      clearInterval(timer)
      for (const page of pages.keys()) page.destroy()
    },
  }
}

function writeEvent(state: State, ids?: number[]): string {
  return `event: wall\ndata: ${JSON.stringify(toView(state, ids))}\n\n`
}

/** What changes without a phone: the counts, the mode and the trial. */
function writeTotals(state: State): string {
  const { totals, mode, api, hasMorePeople } = toView(state, [])
  return JSON.stringify({ totals, mode, api, hasMorePeople })
}
