/** What a schema says of a value, as far as it bounds how large the value may be. */
export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}

export type Named = [what: string, text: string]

/** The largest body that the service reads. */
export const BODY_BYTES = 64 * 1024

/** Long strings of one character or a pair, which patterns split in many ways, with an end that lets them fail. */
export function hostileTexts(length: number): Named[] {
  const units = ['a', '0', '-', '.', '/', '@', '%', ' ', 'é', '\n', '😀', 'a-', 'a.', 'a0', '0:', ' a']
  return units.map((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1)
    return [`${JSON.stringify(unit)} × ${Math.floor(length / unit.length)}`, `${text.toWellFormed()}!`]
  })
}

// They get a text past the first part of a format: the rest is what a pattern has to chew on.
const BEGINNINGS = ['a@', 'https://a/', 'swapbell://', '2026-01-01T']

/** The same behind beginnings that formats accept. */
export function nearMisses(length: number): Named[] {
  return BEGINNINGS.flatMap((beginning) =>
    ['a', 'a.', '0'].map((unit): Named => {
      const text = beginning + unit.repeat(length)
      return [`${beginning}${unit}… of ${length}`, `${text.slice(0, length - 1)}!`]
    }),
  )
}

/** JSON texts for a field: what its schema admits most of, and what it does not. */
export function listFillings(schema: Schema): Named[] {
  const most = schema.maxLength ?? LONGEST
  const short = most < LONGEST ? fitting(most) : []
  const texts = [schema.type].flat().includes('string') ? [...short, ...LONGEST_TEXTS] : []
  return [...texts, ...(schema.items ? longLists(schema) : []), ...FILLINGS]
}

/** Gives JSON of texts of a length, as far as they fit into a body. */
function fitting(length: number): Named[] {
  return [...hostileTexts(length), ...nearMisses(length)].map(([what, text]) => [what, fit(text)])
}

function longLists({ items, maxItems = 30_000 }: Schema): Named[] {
  const item = (n: number) => ([items?.type].flat().includes('string') ? `https://a.example/${n}` : 1_000_000_000 + n)
  return [
    ['as many as it takes', many(maxItems, item)],
    ['one more', many(maxItems + 1, item)],
    ['as many as fit', many(30_000, item)],
    ['the same again and again', many(maxItems, () => item(1))],
    ['long strings', many(maxItems, () => 'https://'.padEnd(500, 'a'))],
  ]
}

/** The text as JSON that fits into a body. */
function fit(text: string): string {
  let shortened = text
  for (let json = JSON.stringify(shortened); ; json = JSON.stringify(shortened)) {
    if (Buffer.byteLength(json) <= BODY_BYTES - 4_000) return json
    shortened = shortened.slice(0, Math.floor(shortened.length * 0.8))
    if (!shortened.isWellFormed()) shortened = shortened.slice(0, -1)
  }
}

function fitList(items: unknown[]): string {
  const perItem = JSON.stringify(items).length / items.length
  return JSON.stringify(items.slice(0, Math.floor((BODY_BYTES - 4_000) / perItem)))
}

/** A list of `count` items, or as many as fit. */
function many(count: number, item: (n: number) => unknown): string {
  return fitList(Array.from({ length: count }, (_, n) => item(n)))
}

/** A list full of one item, which is JSON text. */
function list(item: string): string {
  const count = Math.floor((BODY_BYTES - 4_000) / (item.length + 1))
  return `[${Array<string>(count).fill(item).join(',')}]`
}

function inside(depth: number, middle: string): string {
  return '{"a":'.repeat(depth) + middle + '}'.repeat(depth)
}

function keys(key: (n: number) => string, value: string, count: number): string {
  return `{${Array.from({ length: count }, (_, n) => `"${key(n)}":${value}`).join(',')}}`
}

/** A list that leaves room for what is around it. */
function shorter(json: string): string {
  return json.slice(0, json.lastIndexOf(',', 50_000)) + ']'
}

/** JSON of nearly 64 KB that is wrong, or hard to read, wherever it stands. */
export const FILLINGS: Named[] = [
  ['a list of zeros', list('0')],
  ['a list of nothing', list('null')],
  ['a list of empty texts', list('""')],
  ['a list of lists', list('[]')],
  ['a list of objects', list('{}')],
  ['a list of objects with a field', list('{"a":1}')],
  ['a list of numbers beyond all bounds', list('1e999')],
  ['a list of large integers', list('99999999999999999999')],
  ['a list of long fractions', list('0.1234567890123456789')],
  ['a list of NULs', list(String.raw`"\u0000"`)],
  ['a list of lone surrogates', list(String.raw`"\ud800"`)],
  ['a list of what looks like prototypes', list('"__proto__"')],
  ['a list with a prototype', list('{"__proto__":1}')],
  ['a list with escaped prototypes', list(String.raw`{"\u005f_proto__":1}`)],
  ['a list with constructors', list('{"constructor":1}')],
  ['lists in lists', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['lists in lists that end nowhere', '['.repeat(60_000)],
  ['objects in objects', inside(9_000, '1')],
  ['28 deep, then bad numbers', inside(28, shorter(list('1e999')))],
  ['31 deep, then lists too deep', inside(31, shorter(list('[]')))],
  ['thousands of fields', keys((n) => `k${n}`, '1', 5_500)],
  ['thousands of fields with bad numbers', keys((n) => `k${n}`, '1e999', 4_000)],
  ['thousands of fields that hold NUL', keys((n) => String.raw`\u0000${'x'}` + n, '1', 3_500)],
  ['thousands of fields that are numbers', keys((n) => `${n * 7919}`, '1', 4_500)],
  ['the same field again and again', keys(() => 'k', '1', 9_000)],
  ['names to escape', keys((n) => `~1/${n}.%`, '1', 4_000)],
  ['a text of 60 KB', JSON.stringify('a'.repeat(60_000))],
  ['a text of escapes', `"${String.raw`\u0041`.repeat(10_000)}"`],
  ['a text of line ends', `"${String.raw`\n`.repeat(30_000)}"`],
  ['a number of 60 KB', '9'.repeat(60_000)],
  ['a fraction of 60 KB', `0.${'9'.repeat(60_000)}`],
  ['an open text', `"${'a'.repeat(60_000)}`],
]

// They are made once, because each field of each route gets them.
const LONGEST = BODY_BYTES - 4_000
const LONGEST_TEXTS = fitting(LONGEST)
