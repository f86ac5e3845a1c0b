import type { Access } from '../../src/platform/http/routes.ts'
import { createCalls, givenWorld, type Call, type World } from './calls.ts'
import { crowd } from './crowded.ts'
import { listHostileRequests } from './hostile.ts'
import { readDocument, findOperation, type Operation } from './openapi.ts'
import type { Service } from './service.ts'

type Answer = { statusCode: number; rawPayload: Buffer }

/** A costly request to a route: which one, what is costly, and how to send it (any number of times). */
export type CostlyRequest = { route: string; what: string; send(): Promise<Answer> }

/**
 * The most expensive requests of at most 64 KB that the schemas of all routes of the API accept or refuse, by whoever
 * may call, on a service whose answers are as large as they get.
 */
export async function* costlyRequests(service: Service): AsyncGenerator<CostlyRequest> {
  for await (const { route, url, operation, call, signIn } of crowdedRoutes(service)) {
    for (const request of listHostileRequests(operation, documented(url), call)) {
      const send = async () => {
        const answer = await service.app.inject({
          method: call.method,
          url: request.url,
          headers: { ...(await signIn()), ...request.headers },
          ...(request.payload !== undefined && { payload: request.payload }),
        })
        // It has ended the session, or shown none.
        if (answer.statusCode === 401 || url.endsWith('/logout')) signIn.again()
        return answer
      }
      yield { route, what: request.what, send }
    }
  }
}

export type CrowdedRoute = {
  route: string
  url: string
  operation: Operation
  call: Call
  signIn: ReturnType<typeof sessionFor>
}

/** Each route of the API with a valid call, on a service whose answers are as large as they get. */
export async function* crowdedRoutes(service: Service): AsyncGenerator<CrowdedRoute> {
  const document = await readDocument(service.app)
  const world = await givenWorld(service)
  const calls = createCalls(world)
  await crowd(service, world.owner.userId)
  for (const { method, url, access } of service.routes.filter((route) => route.url.startsWith('/api/'))) {
    const route = `${method} ${url}`
    const operation = findOperation(document, method, url)!
    yield { route, url, operation, call: calls[route]!, signIn: sessionFor(service, access, world) }
  }
}

/** The address as the OpenAPI document has it. */
function documented(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

/** The headers of whoever may call, in one session until `again`. */
function sessionFor({ deps }: Service, access: Access, { owner, admin }: World) {
  let headers: Promise<Record<string, string>> | undefined
  const open = async () => {
    if (access === 'public') return {}
    const caller =
      access === 'user'
        ? { userId: owner.userId, role: 'user' as const }
        : { userId: admin.userId, role: 'admin' as const }
    return { authorization: `Bearer ${(await deps.sessions.open(caller)).token}` }
  }
  return Object.assign(() => (headers ??= open()), { again: () => (headers = undefined) })
}
