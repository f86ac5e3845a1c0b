import { onTestFinished } from 'vitest'
import { connect, queryBuilder } from '../../src/platform/db/connect.ts'
import type { Deps } from '../../src/deps.ts'
import { openLink, type Link } from './link.ts'
import type { Service } from './service.ts'

/** The parts of `count` processes on the database of a service, each with one connection of its own. */
export function processesOn({ deps }: Pick<Service, 'deps'>, count: number): Deps[] {
  return Array.from({ length: count }, () => overConnectionsTo(deps, deps.config.DATABASE_URL, 1))
}

/** The parts of a process whose link to the database can be made bad. */
export async function processBehindLink({ deps }: Service): Promise<{ deps: Deps; link: Link }> {
  const url = new URL(deps.config.DATABASE_URL)
  const link = await openLink(Number(url.port))
  onTestFinished(() => link.close())
  url.port = String(link.port)
  return {
    link,
    deps: {
      ...overConnectionsTo(deps, url.href, 4),
      lifecycle: { ...deps.lifecycle, givingUp: new AbortController() },
    },
  }
}

function overConnectionsTo(deps: Deps, url: string, max: number): Deps {
  const pool = connect(url, { max, log: deps.log })
  onTestFinished(() => pool.end())
  return { ...deps, pool, db: queryBuilder(pool) }
}
