import { onTestFinished } from 'vitest'
import { connect, queryBuilder } from '../../src/db/connect.ts'
import type { Deps } from '../../src/deps.ts'
import type { Service } from './service.ts'

/** The parts of `count` processes on the database of a service, each with one connection of its own. */
export function processesOn({ deps }: Service, count: number): Deps[] {
  return Array.from({ length: count }, () => {
    const pool = connect(deps.config.DATABASE_URL, { max: 1, log: deps.log })
    onTestFinished(() => pool.end())
    return { ...deps, pool, db: queryBuilder(pool) }
  })
}
