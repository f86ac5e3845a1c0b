import type { KyselyPlugin, LogEvent, RootOperationNode } from 'kysely'

export type StatementListener = (statement: string, seconds: number, hasFailed: boolean) => void

export async function timed<T>({ ran }: { ran: StatementListener }, name: string, run: () => Promise<T>): Promise<T> {
  const from = performance.now()
  let hasFailed = true
  try {
    const result = await run()
    hasFailed = false
    return result
  } finally {
    ran(name, (performance.now() - from) / 1_000, hasFailed)
  }
}

/** Names have no SQL and no ids: `sql` is named after the function that makes it, which its stack tells once for
 * each template. */
export function watchStatements(ran: StatementListener) {
  const names = new WeakMap<readonly string[], string>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode' && isTemplate(node.sqlFragments) && !names.has(node.sqlFragments))
        names.set(node.sqlFragments, findCaller(new Error('where a statement is made').stack))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const toName = (node: RootOperationNode): string => {
    if (node.kind !== 'RawNode') return describe(node)
    // pg-boss hands statements over that have no fragments.
    const fragments = node.sqlFragments as readonly string[] | undefined
    if (fragments === undefined) return 'job queue'
    return names.get(fragments) ?? transactionWord(fragments[0])
  }
  const log = ({ level, query, queryDurationMillis }: LogEvent) =>
    ran(toName(query.query), queryDurationMillis / 1_000, level === 'error')
  return { plugin, log }
}

/** Other fragments are put together anew each time. */
function isTemplate(fragments: readonly string[]): boolean {
  return 'raw' in fragments
}

/** The function of the queries file that is nearest to the top of a stack; else of any file of the server. */
function findCaller(stack = ''): string {
  const frames = stack.split('\n').flatMap((line) => {
    const [, path] = line.split('/server/src/', 2)
    const [file] = path?.split('/').at(-1)?.split('.ts:', 1) ?? []
    if (file === undefined || file === 'statements') return []
    const [, called] = /^ *at (?:async )?([\w$.]+) \(/.exec(line) ?? []
    return [{ called: called?.split('.').at(-1) ?? file, file }]
  })
  const frame = frames.find(({ file }) => file.endsWith('.queries')) ?? frames[0]
  return frame?.called ?? 'other'
}

function transactionWord(text = ''): string {
  const [, word] = /^(begin|commit|rollback)\b/.exec(text) ?? []
  return word ?? 'other'
}

function describe(node: RootOperationNode): string {
  const verb = node.kind.replace('QueryNode', '').toLowerCase()
  const place = { SelectQueryNode: 'from', DeleteQueryNode: 'from', InsertQueryNode: 'into', UpdateQueryNode: 'table' }
  const key = place[node.kind as keyof typeof place] as string | undefined
  const table = key === undefined ? undefined : tableIn((node as unknown as Record<string, unknown>)[key])
  return table === undefined ? verb : `${verb} ${table}`
}

function tableIn(node: unknown, depth = 5): string | undefined {
  if (typeof node !== 'object' || node === null || depth === 0) return undefined
  const { kind, table } = node as { kind?: string; table?: { identifier?: { name?: string } } }
  if (kind === 'TableNode') return table?.identifier?.name
  for (const below of Object.values(node)) {
    const found = tableIn(below, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}
