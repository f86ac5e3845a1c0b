import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { errors } from '../shared/errors.ts'
import { harmless } from '../shared/spreadsheet.ts'

export const CsvQuery = {
  format: Type.Optional(Type.Enum(['json', 'csv'], { description: '`csv`: all rows, without pages.' })),
  bom: Type.Optional(Type.Boolean({ description: 'Begin the CSV with a byte order mark.' })),
}

export const CSV_CONTENT = { 'text/csv': { schema: Type.String({ examples: ['id,name\n7,"Ann"\n'] }) } }

export type Cell = string | number | boolean | Date | null

export type Column<Row> = [heading: string, cellOf: (row: Row) => Cell]

/** One column for each field of the schema, nested names joined by `_`. Throws at start for a list not in `lists`. */
export function columnsFrom<View>(
  schema: TSchema,
  lists: Record<string, Column<View>[]> = {},
  path: string[] = [],
): Column<View>[] {
  const { properties = {} } = schema as { properties?: Record<string, TSchema> }
  const columns = Object.entries(properties).flatMap(([name, field]): Column<View>[] => {
    const within = [...path, name]
    const heading = within.join('_')
    const { properties: inner, type } = field as { properties?: object; type?: string | string[] }
    if (lists[heading] !== undefined) return lists[heading]
    if (inner !== undefined) return columnsFrom(field, lists, within)
    if (type === 'array' || type === 'object') throw new Error(`The list ${heading} has no columns.`)
    return [[heading, (view) => valueAt(view, within)]]
  })
  // The same field may occur twice: `product_id`, and `id` of `product`.
  return columns.filter(([heading], index) => columns.findIndex(([other]) => other === heading) === index)
}

function valueAt(view: unknown, path: string[]): Cell {
  let value = view
  for (const name of path) value = (value as Record<string, unknown> | null)?.[name] ?? null
  return value as Cell
}

declare module 'fastify' {
  interface FastifyInstance {
    reportFiles: Set<Readable>
  }
}

const AT_ONCE = 4

export function installCsv(app: FastifyInstance): void {
  app.decorate('reportFiles', new Set<Readable>())
}

/** 503 when a process writes four already, because each holds a connection of the pool (ADR 16). */
function openFile({ server: { reportFiles } }: FastifyReply, lines: AsyncIterable<string>): Readable {
  if (reportFiles.size >= AT_ONCE) throw errors.unavailable()
  const file = Readable.from(lines)
  reportFiles.add(file)
  return file.once('close', () => reportFiles.delete(file))
}

/** One batch is in memory at a time, and a disconnect of the client ends the batches. `name` has no suffix. */
export function sendCsv<Row, View>(
  reply: FastifyReply,
  file: {
    name: string
    bom?: boolean | undefined
    columns: Column<View>[]
    batches: AsyncIterable<Row[]>
    toView: (row: Row) => View
  },
): FastifyReply {
  const lines = writeCsv(file.columns, toViews(file.batches, file.toView), { bom: file.bom ?? false })
  const opened = openFile(reply, lines)
  return reply
    .type('text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="${file.name}.csv"`)
    .header('X-Content-Type-Options', 'nosniff')
    .send(opened)
}

async function* toViews<Row, View>(batches: AsyncIterable<Row[]>, toView: (row: Row) => View): AsyncGenerator<View[]> {
  for await (const rows of batches) yield rows.map(toView)
}

export async function* writeCsv<Row>(
  columns: Column<Row>[],
  batches: AsyncIterable<Row[]>,
  { bom }: { bom: boolean },
): AsyncGenerator<string> {
  yield (bom ? '\u{FEFF}' : '') + writeLine(columns.map(([heading]) => heading))
  for await (const rows of batches)
    yield rows.map((row) => writeLine(columns.map(([, cellOf]) => cellOf(row)))).join('')
}

export function writeLine(cells: Cell[]): string {
  return `${cells.map(toText).join(',')}\n`
}

function toText(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  const text = harmless(cell)
  // A semicolon or a tab may separate cells, depending on the reader's settings.
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
