import { createDividedDatabase } from './citus.ts'
import { startService, type Service } from './service.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''
const SETTINGS = { SESSION_UNUSED_DAYS: 400 }
const OF_CITUS = 8

/** Into how many homes each service divides people; those of a Citus, where CITUS_URL names one, are the most. */
export const HOMES = [1, 4, ...(CITUS_URL === '' ? [] : [OF_CITUS])]

export async function startEach(): Promise<{ services: Map<number, Service>; close(): Promise<void> }> {
  const services = new Map<number, Service>()
  for (const homes of [1, 4]) services.set(homes, await startService(SETTINGS, { homes }))
  const database = CITUS_URL === '' ? undefined : await createDividedDatabase(CITUS_URL, OF_CITUS)
  if (database) services.set(OF_CITUS, await startService(SETTINGS, { lead: () => database.url }))
  return {
    services,
    close: async () => {
      await Promise.all(Array.from(services.values(), (one) => one.close()))
      await database?.drop()
    },
  }
}
