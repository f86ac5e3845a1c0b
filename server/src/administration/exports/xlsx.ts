import { PassThrough, Readable, pipeline } from 'node:stream'
import { ZipFile } from 'yazl'
import { DATE_STYLE } from '../../platform/shared/spreadsheet.ts'

export const XLSX_ROWS_MAX = 1_048_576

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const PARTS = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Users" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': writeStyles(),
}

function writeStyles(): string {
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
  const date = '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>'
  const formats = `<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/></numFmts>`
  const looks = `<fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>`
  const cells = [...Array.from({ length: DATE_STYLE }, () => plain), date]
  return `<styleSheet xmlns="${MAIN}">${formats}${looks}<cellStyleXfs count="1">${plain}</cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`
}

/** `rows` gives `<row>` elements, whose dates have `DATE_STYLE`. Every text is an inline string, which no
 * spreadsheet runs as a formula. An error of `rows` becomes the workbook's. */
export function writeXlsx(header: string[], rows: Readable, mtime: Date): Readable {
  const sheet = new PassThrough()
  const workbook = new PassThrough()
  const cells = header.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')
  const frozen = `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`
  const widths = `<cols><col min="1" max="${header.length}" width="22" customWidth="1"/></cols>`
  const start = `${XML}<worksheet xmlns="${MAIN}">${frozen}${widths}<sheetData><row>${cells}</row>`
  pipeline(Readable.from(around(start, rows, '</sheetData></worksheet>')), sheet, (error) => {
    if (error) workbook.destroy(error)
  })
  workbook.once('close', () => sheet.destroy())
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(XML + content), name, { mtime })
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime, compressionLevel: 1 })
  zip.end()
  zip.outputStream.pipe(workbook)
  return workbook
}

async function* around(start: string, rows: Readable, end: string): AsyncGenerator<Buffer | string> {
  yield start
  for await (const chunk of rows) yield chunk as Buffer
  yield end
}
