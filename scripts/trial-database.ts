/** Throws a sentence when a trial of another version made it, and says how to begin anew. */
export async function expectOwnDatabase(url: string, dataDir: string): Promise<void> {
  // Their packages are installed by now.
  const { withPool } = await import('../server/src/platform/db/connect.ts')
  const { findStrangeness } = await import('../server/src/platform/db/migrations.ts')
  const { createLog } = await import('../server/src/platform/shared/log.ts')
  const why = await withPool(url, { max: 1, log: createLog('silent') }, findStrangeness)
  if (why !== undefined)
    throw new Error(`${why} To begin anew, remove the folder ${dataDir}, or set DATA_DIR to another one.`)
}
