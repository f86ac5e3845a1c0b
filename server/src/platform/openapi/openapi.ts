import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PlatformDeps } from '../deps.ts'
import { VERSION } from '../shared/release.ts'
import { answers } from '../http/envelope.ts'
import type { App } from '../http/routes.ts'
import { hoistComponents, listOperations, type JsonObject } from './components.ts'
import { describeAnswers, describeBody, describeParameters, describeRoute, HEADERS } from './operations.ts'
import { prepared, sendPrepared, type Prepared } from './prepared.ts'
import { TAGS } from './tags.ts'

const DOCUMENT = {
  description: 'OpenAPI 3.1.',
  content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
} as never

const DESCRIPTION = `The API of an item-swapping marketplace: the calls of its app, its push notifications and its administration.

An empty query parameter counts as absent. Exports and calls that write refuse an unknown query parameter with 422
(\`x-unknown-parameters: refused\`). Calls that read ignore it and list it in \`ignored_parameters\` beside \`data\`.

Every call except the public ones needs an access token: sign in with \`/api/v1/login\` or \`/api/admin/v1/login\`.`

/** Must run before the routes are registered. */
export async function installOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Swapbell',
        version: VERSION,
        description: DESCRIPTION,
        contact: { name: 'Swapbell', url: 'https://swapbell.example' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The service that sent this document.' }],
      tags: TAGS,
      components: {
        headers: HEADERS as Record<string, object>,
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `schema${index}`,
    },
    transform: ({ schema, url, route }) => ({ schema: { ...schema, ...describeRoute(route) }, url }),
    transformObject: (described) => {
      const document = ('openapiObject' in described ? described.openapiObject : {}) as unknown as JsonObject
      for (const operation of listOperations(document)) {
        describeParameters(operation)
        describeBody(operation)
        describeAnswers(operation)
      }
      hoistComponents(document)
      return document
    },
  })
}

/**
 * The document is made once: it is 1 MB, which takes longer than a request may, so in production it is made before the
 * first one. Elsewhere most processes are never asked for it, and each would begin a quarter of a second later.
 */
export function registerOpenApiRoutes(app: App, { config }: Pick<PlatformDeps, 'config'>): void {
  let document: Promise<Prepared> | undefined
  const prepare = () =>
    (document ??= prepared('application/json; charset=utf-8', Buffer.from(JSON.stringify(app.swagger()))))
  const send = async (request: FastifyRequest, reply: FastifyReply) => sendPrepared(request, reply, await prepare())
  if (config.NODE_ENV === 'production') app.addHook('onListen', async () => void (await prepare()))
  // The page would write it anew for each call. JSON is YAML too.
  app.addHook('onRoute', (route) => {
    if (PAGES_DOCUMENTS.has(route.url)) route.handler = send
  })
  app.get('/api/openapi.json', {
    config: { access: 'public' },
    schema: {
      operationId: 'getApiDescription',
      summary: 'This document',
      response: answers(200, DOCUMENT),
    },
    handler: (request, reply) => send(request, reply) as never,
  })
}

const PAGES_DOCUMENTS = new Set(['/docs/json', '/docs/yaml'])
