import type { Db } from '../../platform/db/connect.ts'
import type { Log } from '../../platform/shared/log.ts'
import { listEndings } from './endings.queries.ts'

export async function logCompleted({ db, log }: { db: Db; log: Log }, messageIds: number[]): Promise<void> {
  for (const ending of await listEndings(db, messageIds)) log.info(ending, 'a campaign was completed')
}
