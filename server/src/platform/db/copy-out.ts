import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { RawBuilder } from 'kysely'
import { Client } from 'pg'
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams'
import type { Log } from '../shared/log.ts'
import { cancelQuery } from './cancel-query.ts'
import { closeWhenSilent, silenceError, getSocket, type Db } from './connect.ts'
import { inline } from './inline.ts'
import { LIMITS } from './session.ts'

type CopyLimits = {
  silenceMs: number
  readerMs: number
  longestMs: number
}

const COPY_LIMITS: CopyLimits = { silenceMs: LIMITS.silenceMs, readerMs: 300_000, longestMs: 3_600_000 }

export type CopyFormat = 'csv' | 'lines'

// Characters that JSON and XML cannot hold, so that nothing is ever quoted.
const LINES = String.raw`(format csv, quote e'\x01', escape e'\x01', delimiter e'\x02')`

function writeOptions(format: CopyFormat, quoted: string[]): string {
  if (format === 'lines') return LINES
  return quoted.length === 0 ? '(format csv, header)' : `(format csv, header, force_quote (${quoted.join(', ')}))`
}

export type CopySource = { db: Db; url: string; log: Log; limits?: Partial<CopyLimits> }

export type CopyOut = {
  rows: number
  stream: Readable
  /** The number of rows, after the last one; rejects when it ended early. */
  given: Promise<number>
}

/** It reads one snapshot, on a connection of its own. All settings are the transaction's own, as poolers need. */
export async function copyOut(
  { db, url, log, limits: differing }: CopySource,
  {
    rows,
    counted,
    format,
    quoted = [],
  }: { rows: RawBuilder<unknown>; counted: RawBuilder<unknown>; format: CopyFormat; quoted?: string[] },
): Promise<CopyOut> {
  const limits = { ...COPY_LIMITS, ...differing }
  const client = new Client({ connectionString: url, connectionTimeoutMillis: LIMITS.connectMs, keepAlive: true })
  client.on('error', () => undefined)
  try {
    await client.connect()
    closeWhenSilent(client, limits.silenceMs)
    await client.query('begin isolation level repeatable read read only')
    await client.query(writeSettings(limits))
    const { rows: total } = await client.query<{ n: string }>(`select count(*) as n from (${inline(db, counted)}) t`)
    await client.query(`set local statement_timeout = ${limits.longestMs}`)
    const stream = client.query(copyTo(`copy (${inline(db, rows)}) to stdout ${writeOptions(format, quoted)}`))
    // The driver emits the connection's end on a destroyed stream, too.
    stream.on('error', () => undefined)
    const given = endCopy(stream, client, { limits, log })
    given.catch((error: unknown) => log.info({ err: error }, 'an export ended early'))
    return { rows: Number(total[0]?.n), stream, given }
  } catch (error) {
    getSocket(client).destroy()
    throw error
  }
}

function writeSettings({ readerMs }: CopyLimits): string {
  const { statementMs, lockMs } = LIMITS
  // A slow reader takes the last rows long after PostgreSQL has sent them.
  return `set local jit = off; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs};
    set local idle_in_transaction_session_timeout = ${2 * readerMs}; set local timezone = 'UTC'`
}

async function endCopy(
  stream: CopyToStreamQuery,
  client: Client,
  { limits, log }: { limits: CopyLimits; log: Log },
): Promise<number> {
  const watch = watchProgress(stream, client, limits)
  try {
    await finished(stream)
    watch.stop()
    closeWhenSilent(client, limits.silenceMs)
    await client.query('commit')
    await client.end()
    return stream.rowCount
  } catch (error) {
    watch.stop()
    // A session that does not write would not notice that its connection is closed.
    await cancelQuery(client).catch((fault: unknown) => log.warn({ err: fault }, 'a query could not be cancelled'))
    getSocket(client).destroy()
    throw error
  }
}

function watchProgress(stream: CopyToStreamQuery, client: Client, limits: CopyLimits): { stop: () => void } {
  const socket = getSocket(client)
  const startedAt = performance.now()
  let movedAt = startedAt
  let lastBytes = -1
  socket.setTimeout(0)
  const look = () => {
    const at = performance.now()
    if (progress() !== lastBytes) [lastBytes, movedAt] = [progress(), at]
    const stillMs = at - movedAt
    const waitsForReader = untaken() > 0
    if (at - startedAt > limits.longestMs) stream.destroy(new Error('The copy took too long.'))
    else if (waitsForReader && stillMs > limits.readerMs)
      stream.destroy(new Error('The reader took no rows for too long.'))
    else if (!waitsForReader && stillMs > limits.silenceMs) stream.destroy(silenceError())
  }
  const untaken = () => stream.readableLength + socket.readableLength
  const progress = () => socket.bytesRead - untaken()
  const timer = setInterval(look, Math.min(limits.silenceMs, limits.readerMs) / 4)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
