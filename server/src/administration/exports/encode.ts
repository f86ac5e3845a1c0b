import { PassThrough, pipeline, Transform, type Readable } from 'node:stream'
import type { ExportFormat } from '../../platform/tables/marketplace-tables.ts'
import { writeXlsx } from './xlsx.ts'

export const ROW_SHAPE = { csv: 'csv', xlsx: 'xml', json: 'json', ndjson: 'json' } as const

export const MEDIA_TYPE: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

const HIDDEN = 'e-mail addresses and phone numbers are masked'
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_FEED = 0x0a
const COMMA = Buffer.from(',\n')

export type Form = {
  format: ExportFormat
  columns: string[]
  hasBom: boolean
  isMasked: boolean
  total: number
  at: Date
}

/** Destroying the file ends the rows; an error of the rows becomes the file's. */
export function encode(rows: Readable, { format, columns, hasBom, isMasked, total, at }: Form): Readable {
  if (format === 'xlsx') return writeXlsx(columns, rows, at)
  if (format === 'json') return through(rows, enveloped(isMasked ? `${total} users; ${HIDDEN}` : `${total} users`))
  if (!hasBom) return rows
  const file = new PassThrough()
  file.write(BYTE_ORDER_MARK)
  return through(rows, file)
}

function through(rows: Readable, file: Transform): Readable {
  pipeline(rows, file, () => undefined)
  return file
}

/** Lines of JSON as the `data` of the success envelope; a line never contains a line feed. */
function enveloped(message: string): Transform {
  let isAfterLine = false
  return new Transform({
    construct(done) {
      this.push('{"success":true,"data":[\n')
      done()
    },
    transform(chunk: Buffer, _, done) {
      for (let start = 0; start < chunk.length;) {
        if (isAfterLine) this.push(COMMA)
        const end = chunk.indexOf(LINE_FEED, start)
        isAfterLine = end !== -1
        this.push(isAfterLine ? chunk.subarray(start, end) : chunk.subarray(start))
        start = isAfterLine ? end + 1 : chunk.length
      }
      done()
    },
    flush(done) {
      this.push(`\n],"message":${JSON.stringify(message)}}\n`)
      done()
    },
  })
}
