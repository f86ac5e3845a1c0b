import swaggerUi from '@fastify/swagger-ui'
import type { App } from '../http/routes.ts'

/** Calls that reach many people at once. The page shows them and never makes them. */
const REACH_MANY = new Set(['sendToAll', 'sendSystemNotification', 'startBulkChange'])

/** Marks an operation that the page must not make. */
export function marksOf(operationId: string | undefined): object {
  return operationId !== undefined && REACH_MANY.has(operationId) ? { 'x-not-from-the-page': true } : {}
}

/**
 * The page at /docs, which shows the API's description and finds calls by a word. Where `mayCall`, it makes calls too,
 * each after "Try it out" and "Execute", but none that reaches many people. Someone who finds it open in an
 * administrator's browser could do harm, so it stores no token, and in production it calls nothing.
 */
export async function registerDocsPage(app: App, { mayCall }: { mayCall: boolean }): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      deepLinking: true,
      filter: true,
      persistAuthorization: false,
      withCredentials: false,
      tryItOutEnabled: false,
      ...(!mayCall && { supportedSubmitMethods: [] }),
      validatorUrl: null,
      plugins: [searchPlugin, safetyPlugin],
    },
    staticCSP: true,
    // Loads nothing from elsewhere. Without upgrade-insecure-requests, because the page would stay blank over plain
    // HTTP.
    transformStaticCSP: (policy) => policy.replaceAll(/https:|validator\.swagger\.io|upgrade-insecure-requests;/g, ''),
  })
}

// The two plugins run in the browser, which gets their text: they use nothing from outside of themselves.

type Node = { get(key: string): Node; getIn(path: string[]): unknown; toJS(): unknown; size: number }
type Nodes = { map(change: (node: Node & { set(key: string, value: unknown): Node }) => Node): Nodes } & {
  filter(keep: (node: Node) => boolean): Nodes
}

/** The field "Filter" finds tags, addresses, names and summaries of calls, and not tags alone. */
function searchPlugin() {
  return {
    fn: {
      opsFilter: (tags: Nodes, phrase: string) => {
        const wanted = phrase.toLowerCase()
        return tags
          .map((tag) => {
            const operations = tag.get('operations') as unknown as Nodes
            return tag.set(
              'operations',
              operations.filter((one) => {
                const said = [
                  one.get('path'),
                  ...['operationId', 'summary', 'tags'].map((key) => one.getIn(['operation', key])),
                ]
                return said.join(' ').toLowerCase().includes(wanted)
              }),
            )
          })
          .filter((tag) => tag.get('operations').size > 0)
      },
    },
  }
}

/** Calls that reach many people have no "Try it out". */
function safetyPlugin() {
  return {
    statePlugins: {
      spec: {
        wrapSelectors: {
          allowTryItOutFor: () => (state: Node, path: string, method: string) =>
            state.getIn(['json', 'paths', path, method, 'x-not-from-the-page']) !== true,
        },
      },
    },
  }
}
