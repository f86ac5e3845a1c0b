import { access } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ON_PLAIN_ALONE,
  startPlain,
  type EnvironmentOptions,
  type Missing,
  type PlainEnvironment,
} from '../environment.ts'

const STOCK = '/usr/lib/postgresql/15/bin'

/** A server with pg_dump and pg_restore of its own version; the embedded PostgreSQL comes without them. */
export type DumpedEnvironment = PlainEnvironment & {
  /** The folder of the programs. */
  programs: string
  /** Creates a database without anything in it; returns its address. */
  newEmptyDatabase(name: string): Promise<string>
}

export async function startDumpedServer({
  programs = STOCK,
  divided,
}: EnvironmentOptions): Promise<DumpedEnvironment | Missing> {
  if (divided) return ON_PLAIN_ALONE
  const isThere = async (name: string) =>
    access(join(programs, name)).then(
      () => true,
      () => false,
    )
  if (!(await isThere('postgres')) || !(await isThere('pg_dump')))
    return { missing: `there is no PostgreSQL with pg_dump in ${programs}` }
  const environment = await startPlain({ programs })
  const newEmptyDatabase = async (name: string) => {
    await environment.cluster.query(`create database "${name}"`)
    return environment.cluster.url(name)
  }
  return { ...environment, programs, newEmptyDatabase }
}
