import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv, writeLine } from './csv.ts'

describe('a line of CSV', () => {
  test.for([
    ['plain text', 'Lamp', 'Lamp'],
    ['nothing', null, ''],
    ['a number, though it is negative', -5, '-5'],
    ['a truth', true, 'true'],
    ['a moment', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['lines', 'a\r\nb', '"a\r\nb"'],
    ['space at an end', ' a', '" a"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula that needs quotes', '=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a plus', '+x', "'+x"],
    ['a phone number', '+49 (0)30/12-3', '+49 (0)30/12-3'],
    ['what only looks like one', '+49;=1', `"'+49;'=1"`],
    ['a full-width sign', '＝1', "'＝1"],
    ['a line feed', '\n=1', `"'\n'=1"`],
    ['a semicolon', 'x;y', '"x;y"'],
    ['a formula behind a semicolon', 'x;=1+1;@y;', `"x;'=1+1;'@y;"`],
    ['a formula behind a semicolon and a quote', 'x;"=1+1', `"x;""'=1+1"`],
    ['a formula behind a tab', 'x\t＋1', `"x\t'＋1"`],
    ['a minus', '-1', "'-1"],
    ['an at', '@x', "'@x"],
    ['a tab', '\tx', `"'\tx"`],
    ['a carriage return', '\rx', `"'\rx"`],
  ] as const)('writes %s', ([, cell, text]) => {
    expect(writeLine([cell])).toBe(`${text}\n`)
  })

  test('is read back unchanged, except for the apostrophe before a formula', () => {
    const cells = array(
      string({ unit: constantFrom('a', ',', ';', '"', '\r', '\n', '\t', '=', '+', '-', '7', '＝', ' ', 'é') }),
      {
        minLength: 2,
      },
    )
    assert(
      property(cells, (row) => {
        const read = parse(writeLine(row))
        expect(read.map((cell) => cell.startsWith("'"))).toEqual(row.map(isRun))
        expect(read.map((cell) => cell.replaceAll("'", ''))).toEqual(row)
      }),
    )
  })
})

test('a line begins no formula for a reader whose separator is a semicolon or a tab', () => {
  const cell = string({ unit: constantFrom('a', ',', ';', '"', '\r', '\n', '\t', '=', '+', '-', '@', '＝', '7', "'") })
  assert(
    property(array(cell), (cells) => {
      for (const piece of writeLine(['Ann', ...cells]).split(/[;\t\r\n]/))
        expect(piece.replace(/^"*/, '')).not.toMatch(/^[=+\-@＝]/)
    }),
  )
})

test('a file begins with its headings, and with a byte order mark when one is asked for', async () => {
  const columns = [['n', (row: number) => row] as [string, (row: number) => number]]
  expect((await Array.fromAsync(writeCsv(columns, batches(), { bom: false }))).join('')).toBe('n\n1\n2\n3\n')
  expect((await Array.fromAsync(writeCsv(columns, batches(), { bom: true })))[0]).toBe('\u{FEFF}n\n')
})

/** What a spreadsheet runs, but for a plus before what holds digits and punctuation alone. */
function isRun(cell: string): boolean {
  return /^[=\-@\t\r\n＝]/.test(cell) || (cell.startsWith('+') && /[^-+0-9 ()/.]|.[+]/s.test(cell))
}

async function* batches(): AsyncGenerator<number[]> {
  yield [1, 2]
  yield [3]
}

/** The cells of one line, by RFC 4180. */
function parse(line: string): string[] {
  const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(?:,|\n$)/gy)]
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}
