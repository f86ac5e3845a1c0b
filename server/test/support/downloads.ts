import { inflateRawSync } from 'node:zlib'

const CENTRAL_ENTRY = 0x02014b50

/** The files of a ZIP archive by their names, read by its central directory. */
export function unzip(archive: Buffer): Record<string, string> {
  const files: Record<string, string> = {}
  let at = archive.readUInt32LE(archive.length - 6)
  while (archive.readUInt32LE(at) === CENTRAL_ENTRY) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const packed = archive.subarray(start, start + size)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    files[name] = (method === 0 ? packed : inflateRawSync(packed)).toString('utf8')
    at += 46 + nameLength + extra + comment
  }
  return files
}

/** The cells of a CSV text (RFC 4180). */
export function parseCsv(csv: string): string[][] {
  const cells = [...csv.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n)/g)]
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of cells) {
    rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\n') rows.push([])
  }
  return rows.slice(0, -1)
}

/** Text out of XML: its references read. */
export function unescapeXml(escaped: string): string {
  return escaped
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
