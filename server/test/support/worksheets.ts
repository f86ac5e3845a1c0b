import { unescapeXml, unzip } from './downloads.ts'

type Cell = string | number | boolean | Date | null

const DAY_MS = 86_400_000
const UNIX_EPOCH = 25_569

/** The cells of the only sheet of a workbook, its header first; dates by their style. */
export function readWorkbook(file: Buffer): Cell[][] {
  const sheet = unzip(file)['xl/worksheets/sheet1.xml'] ?? ''
  const rows = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)]
  return rows.map(([, row = '']) =>
    [...row.matchAll(/<c(?: ([^>]*?))?(?:\/>|>(.*?)<\/c>)/gs)].map(([, kind = '', inner = '']) => toCell(kind, inner)),
  )
}

function toCell(kind: string, inner: string): Cell {
  const [, value = ''] = /<v>(.*?)<\/v>/s.exec(inner) ?? []
  if (kind.includes('t="inlineStr"')) return toText(/<t[^>]*>(.*?)<\/t>/s.exec(inner)?.[1] ?? '')
  if (kind.includes('t="b"')) return value === '1'
  if (kind.includes('s="1"')) return new Date(Math.round((Number(value) - UNIX_EPOCH) * DAY_MS))
  return value === '' ? null : Number(value)
}

/** A text of a workbook, in which `_x0041_` stands for a character by its number. */
function toText(escaped: string): string {
  return unescapeXml(escaped).replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
