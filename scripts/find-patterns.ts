import { parseSync } from 'oxc-parser'

/** A regular expression of the source; `source` is absent when it is built at run time. */
export type Pattern = { path: string; line: number; source: string | undefined; flags: string }

type Node = { type: string; start: number } & Record<string, unknown>

// Methods that turn a string into a regular expression.
const SEARCHES = new Set(['match', 'matchAll', 'search'])

/**
 * Every regular expression in a file of TypeScript or JavaScript: literals, `RegExp(…)`, strings passed to a search,
 * and the `pattern` of a schema. Throws when the file cannot be parsed.
 */
export function patternsIn(path: string, text: string): Pattern[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const found: Pattern[] = []
  visit(program, (node) => {
    const pattern = readPattern(node)
    if (pattern) found.push({ path, line: text.slice(0, node.start).split('\n').length, ...pattern })
  })
  return found
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) see(value)
  for (const child of Object.values(value)) visit(child, see)
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string'
}

function readPattern(node: Node): Pick<Pattern, 'source' | 'flags'> | undefined {
  if (node.type === 'Literal' && node['regex']) {
    const { pattern, flags } = node['regex'] as { pattern: string; flags: string }
    return { source: pattern, flags }
  }
  if (node.type === 'NewExpression' || node.type === 'CallExpression') return patternOfCall(node)
  // The validator compiles schema patterns with this flag.
  if (node.type === 'Property' && readName(node['key']) === 'pattern') return stringPattern(node['value'] as Node, 'u')
  return undefined
}

function patternOfCall(node: Node): Pick<Pattern, 'source' | 'flags'> | undefined {
  const callee = node['callee'] as Node
  const [first, second] = node['arguments'] as (Node | undefined)[]
  if (readName(callee) === 'RegExp')
    return { source: first && readString(first), flags: (second && readString(second)) ?? '' }
  const isSearch = callee.type === 'MemberExpression' && SEARCHES.has(readName(callee['property']) ?? '')
  return isSearch && first ? stringPattern(first, '') : undefined
}

/** The value may be something else than a pattern, such as a filter of that name: only a string counts. */
function stringPattern(node: Node, flags: string): Pick<Pattern, 'source' | 'flags'> | undefined {
  const source = readString(node)
  return source === undefined ? undefined : { source, flags }
}

/** The text of a string or of a template without expressions, including `String.raw`. */
function readString(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  const isRaw = node.type === 'TaggedTemplateExpression'
  const template = (isRaw ? node['quasi'] : node) as Node
  if (template.type !== 'TemplateLiteral') return undefined
  const quasis = template['quasis'] as { value: { raw: string; cooked: string } }[]
  const [only] = quasis
  if (quasis.length !== 1 || only === undefined) return undefined
  return isRaw ? only.value.raw : only.value.cooked
}

function readName(node: unknown): string | undefined {
  return (node as { name?: string } | undefined)?.name
}
