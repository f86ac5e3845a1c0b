import {
  startEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from '../../../local-postgres/src/embedded.ts'

/**
 * Starts the PostgreSQL that tests, torture and benchmarks run on: the embedded one with `settings`; or, where
 * TEST_POSTGRES names the folder of another's programs (/usr/lib/postgresql/15/bin), that one with its own defaults.
 */
export async function startPostgres(options: Pick<EmbeddedOptions, 'dataDir' | 'port' | 'settings'>) {
  const programs = otherPrograms()
  const { settings, ...rest } = options
  const started: EmbeddedPostgres = await startEmbeddedPostgres({
    ...rest,
    ...(programs === undefined ? settings && { settings } : { programs }),
    log: () => undefined,
  })
  return started
}

/** The folder of the other PostgreSQL's programs; undefined: the embedded one is used. */
export function otherPrograms(): string | undefined {
  return process.env['TEST_POSTGRES'] || undefined
}
