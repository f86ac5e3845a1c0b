import type { Call, World } from './calls.ts'
import type { Service } from './service.ts'

/** A fresh session of someone whom the route lets in: a call may end it. */
export async function allowedHeaders(
  { routes, deps }: Service,
  world: World,
  name: string,
): Promise<Record<string, string>> {
  const access = routes.find(({ method, url }) => `${method} ${url}` === name)?.access
  if (access === 'public') return {}
  const account =
    access === 'user'
      ? ({ userId: world.owner.userId, role: 'user' } as const)
      : ({ userId: world.admin.userId, role: 'admin' } as const)
  return { authorization: `Bearer ${(await deps.sessions.open(account)).token}` }
}

/** Makes a call. */
export function make({ app }: Service, { method, url, payload }: Call, headers: Record<string, string>) {
  return app.inject({ method, url, headers, ...(payload && { payload }) })
}
