import type { App } from '../http/routes.ts'

const REACH_MANY = new Set(['sendToAll', 'sendSystemNotification', 'startBulkChange'])

export function findMarks(operationId: string | undefined): object {
  return operationId !== undefined && REACH_MANY.has(operationId) ? { 'x-not-from-the-page': true } : {}
}

/** Someone may find it open in an administrator's browser, so it stores no token and never reaches many people. */
export async function registerDocsPage(app: App): Promise<void> {
  await app.register(import('@fastify/swagger-ui'), {
    routePrefix: '/docs',
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      deepLinking: true,
      filter: true,
      persistAuthorization: false,
      withCredentials: false,
      tryItOutEnabled: false,
      validatorUrl: null,
      plugins: [searchPlugin, safetyPlugin],
    },
    staticCSP: true,
    // Loads nothing from elsewhere. With upgrade-insecure-requests the page would stay blank over plain HTTP.
    transformStaticCSP: (policy) => policy.replaceAll(/https:|validator\.swagger\.io|upgrade-insecure-requests;/g, ''),
  })
}

// The two plugins run in the browser, which gets their text: they use nothing from outside of themselves.

type Node = { get(key: string): Node; getIn(path: string[]): unknown; toJS(): unknown; size: number }
type Nodes = { map(change: (node: Node & { set(key: string, value: unknown): Node }) => Node): Nodes } & {
  filter(keep: (node: Node) => boolean): Nodes
}

/** The field "Filter" would find tags alone. */
function searchPlugin() {
  return {
    fn: {
      opsFilter: (tags: Nodes, phrase: string) => {
        const phraseInLower = phrase.toLowerCase()
        return tags
          .map((tag) => {
            const operations = tag.get('operations') as unknown as Nodes
            return tag.set(
              'operations',
              operations.filter((one) => {
                const searched = [
                  one.get('path'),
                  ...['operationId', 'summary', 'tags'].map((key) => one.getIn(['operation', key])),
                ]
                return searched.join(' ').toLowerCase().includes(phraseInLower)
              }),
            )
          })
          .filter((tag) => tag.get('operations').size > 0)
      },
    },
  }
}

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
