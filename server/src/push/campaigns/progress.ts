import type { Readable } from 'node:stream'
import type { PushDeps } from '../deps.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { openEventReader, type EventReader } from '../../platform/streams/event-reader.ts'
import { can, type Principal } from '../../platform/rights/permissions.ts'
import { listMessages, type MessageRow } from './campaigns.queries.ts'

const LIMITS = {
  everyMs: 1_000,
  heartbeatMs: 15_000,
  /** A reader that takes nothing for this long is disconnected. */
  stalledMs: 30_000,
  perHolder: 4,
  total: 200,
}
export type ProgressLimits = typeof LIMITS

const RETRY_MS = 3_000

type Watcher = { messageId: number; holder: Principal; reader: EventReader; last: string }

/** `draining`: connect again, to another process. */
type End = 'completed' | 'stopped' | 'gone' | 'session_ended' | 'draining'

/** Sends `progress` when a message has changed, then `end`. A poll is one query for all followed messages. */
export function createProgress(
  deps: Pick<PushDeps, 'db' | 'log' | 'sessions' | 'lifecycle'>,
  render: (message: MessageRow) => string,
  limits: ProgressLimits = LIMITS,
) {
  const watchers = new Set<Watcher>()
  const closing = new AbortController()
  let running: Promise<void> | undefined

  const look = async () => {
    while (watchers.size > 0) {
      await sleep(limits.everyMs, closing.signal)
      if (deps.lifecycle.draining || closing.signal.aborted) for (const watcher of watchers) end(watcher, 'draining')
      else if (watchers.size > 0)
        await tellAll().catch((error: unknown) => deps.log.debug({ err: error }, 'progress could not be sent'))
    }
    running = undefined
  }

  const tellAll = async () => {
    // A stream that opens during the poll has its first report already.
    const waiting = [...watchers]
    await Promise.all(
      waiting.map(async (watcher) => {
        if (!(await mayWatch(deps, watcher.holder))) end(watcher, 'session_ended')
      }),
    )
    const messages = await listMessages(deps.db, [...new Set(waiting.map(({ messageId }) => messageId))])
    const news = new Map(messages.map((message) => [message.message_id, { message, text: render(message) }]))
    for (const watcher of waiting.filter((one) => watchers.has(one))) {
      const found = news.get(watcher.messageId)
      if (found === undefined) end(watcher, 'gone')
      else tell(watcher, found.message, found.text)
    }
  }

  /** A slow reader misses some states but never the latest. */
  const tell = (watcher: Watcher, { status }: MessageRow, text: string) => {
    if (text !== watcher.last && !watcher.reader.isFull()) {
      watcher.last = text
      watcher.reader.send(`event: progress\ndata: ${text}\n\n`)
    }
    watcher.reader.keepAlive(limits)
    const isEnded = status === 'completed' || status === 'stopped'
    if (isEnded && !watcher.reader.isFull()) end(watcher, status)
  }

  const end = (watcher: Watcher, reason: End) => {
    watchers.delete(watcher)
    watcher.reader.end(reason)
  }

  return {
    /** 429 when the administrator follows too many, 503 when the process has no room. */
    watch: (message: MessageRow, holder: Principal): Readable => {
      const own = [...watchers].filter((watcher) => watcher.holder.userId === holder.userId).length
      if (own >= limits.perHolder)
        throw errors.rateLimited(
          5,
          `You may open at most ${limits.perHolder} progress streams at once. Close one first.`,
        )
      if (watchers.size >= limits.total || deps.lifecycle.draining) throw errors.unavailable()
      const reader = openEventReader(RETRY_MS)
      const watcher: Watcher = { messageId: message.message_id, holder, reader, last: '' }
      watchers.add(watcher)
      reader.stream.once('close', () => watchers.delete(watcher))
      tell(watcher, message, render(message))
      if (watchers.size > 0) running ??= look()
      return reader.stream
    },
    close: async (): Promise<void> => {
      closing.abort()
      for (const watcher of watchers) end(watcher, 'draining')
      await running
    },
  }
}

async function mayWatch({ sessions }: Pick<PushDeps, 'sessions'>, holder: Principal): Promise<boolean> {
  try {
    const { role } = await sessions.check(holder)
    return can(role, 'campaigns')
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return false
    throw error
  }
}
