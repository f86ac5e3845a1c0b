import { buildApp } from '../../server/src/app.ts'
import type { Deps } from '../../server/src/deps.ts'
import { configWith } from '../../server/src/platform/config/config.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import type { Description } from './description.ts'

/** The description of the API, as a service with the default settings sends it. It needs no database. */
export async function describeApi(): Promise<Description> {
  const compilers = { validator: () => () => true, serializer: () => String }
  const panelFiles = Promise.resolve(new Map())
  const { app } = await buildApp(depsOfDeclarations(), undefined, { compilers, panelFiles })
  const document = (app as unknown as { swagger(): unknown }).swagger()
  return JSON.parse(JSON.stringify(document)) as Description
}

/** Routes read only settings and the names of providers while they are declared; all else is called by a request. */
function depsOfDeclarations(): Deps {
  const config = configWith({ NODE_ENV: 'test', DATABASE_URL: 'postgres://nowhere/none', JWT_SECRET: 'x'.repeat(64) })
  const known: object = { config, log: createLog('silent'), providers: [{ provider: { name: 'expo' } }] }
  const anything: unknown = new Proxy(() => undefined, {
    get: (_, key) => (key === 'then' || typeof key === 'symbol' ? undefined : anything),
    apply: () => anything,
  })
  return new Proxy(known, { get: (own, key) => (key in own ? own[key as never] : anything) }) as Deps
}
