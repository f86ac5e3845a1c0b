import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { RawBuilder } from 'kysely'
import { Client, escapeLiteral } from 'pg'
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams'
import type { Log } from '../shared/log.ts'
import type { Db } from './connect.ts'

const LONGEST_MS = 3_600_000
const CANCEL_MS = 2_000

/** How the rows leave: as CSV with a header, or each row's only column as it is, which must hold no line feed. */
export type CopyFormat = 'csv' | 'lines'

const FORMATS: Record<CopyFormat, string> = {
  csv: '(format csv, header)',
  // Characters that JSON and XML cannot hold, so that nothing is ever quoted.
  lines: String.raw`(format csv, quote e'\x01', escape e'\x01', delimiter e'\x02')`,
}

export type CopyOut = {
  /** How many rows the stream will give. */
  rows: number
  /** Destroying it stops the query. */
  stream: Readable
  /** How many rows it gave, after the last; rejects when it ended early. */
  given: Promise<number>
}

/**
 * Streams the rows of a query out of one snapshot, on a connection of its own, in constant memory. `counted` is the same
 * rows as a select of anything: they are counted first, in the same snapshot.
 */
export async function copyOut(
  { db, url, log }: { db: Db; url: string; log: Log },
  { rows, counted, format }: { rows: RawBuilder<unknown>; counted: RawBuilder<unknown>; format: CopyFormat },
): Promise<CopyOut> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = ${LONGEST_MS}; set local timezone = 'UTC'`)
    const { rows: total } = await client.query<{ n: string }>(`select count(*) as n from (${inline(db, counted)}) t`)
    const stream = client.query(copyTo(`copy (${inline(db, rows)}) to stdout ${FORMATS[format]}`))
    const given = endOf(stream, client, { url, log })
    given.catch((error: unknown) => log.info({ err: error }, 'an export ended early'))
    return { rows: Number(total[0]?.n), stream, given }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Ends the connection with the stream: in order after the last row, or by cancelling the query when nobody reads on. */
async function endOf(
  stream: CopyToStreamQuery,
  client: Client,
  { url, log }: { url: string; log: Log },
): Promise<number> {
  try {
    await finished(stream)
    await client.query('commit')
    await client.end()
    return stream.rowCount
  } catch (error) {
    await cancel(client, url).catch((fault: unknown) => log.warn({ err: fault }, 'a query could not be cancelled'))
    throw error
  }
}

/** Stops what a connection runs, and the connection: a backend that is not writing would not notice that it is gone. */
async function cancel(client: Client, url: string): Promise<void> {
  const { processID } = client as unknown as { processID: number }
  const other = new Client({ connectionString: url, connectionTimeoutMillis: CANCEL_MS, query_timeout: CANCEL_MS })
  other.on('error', () => undefined)
  try {
    await other.connect()
    await other.query('select pg_terminate_backend($1)', [processID])
  } finally {
    client.connection.stream.destroy()
    await other.end()
  }
}

/** A query with its parameters in it: COPY takes none. Only these types of values occur, each quoted by the driver. */
function inline(db: Db, query: RawBuilder<unknown>): string {
  const { sql, parameters } = query.compile(db)
  return sql.replaceAll(/\$(\d+)/g, (_, n: string) => literalOf(parameters[Number(n) - 1]))
}

function literalOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return escapeLiteral(value)
  // As a number: PostgreSQL does not read the years 0 and 10000 as JavaScript writes them.
  if (value instanceof Date) return `to_timestamp(${value.getTime() / 1_000})`
  if (Array.isArray(value) && value.length > 0) return `array[${value.map(literalOf).join(', ')}]`
  throw new TypeError('A query to export has a parameter of another type.')
}
