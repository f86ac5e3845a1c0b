import type { Db } from '../../server/src/platform/db/connect.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import { prepareSession } from './bulk.queries.ts'
import { doAlone, doTask, dropTasks, listTasks, runsAlone, type LoadTask } from './load-tasks.queries.ts'

// One for each core of a small machine; an index is built by one.
const CONNECTIONS = 2

/** Does what a load has left, stage by stage, on two connections. `tell` hears the share (0 to 1) that is done. */
export async function doTasks(db: Db, tell: (share: number) => void): Promise<void> {
  const tasks = await listTasks(db)
  const total = tasks.reduce((sum, { effort }) => sum + effort, 0)
  let done = 0
  for (const stage of new Set(tasks.map((task) => task.stage))) {
    const waiting = tasks.filter((task) => task.stage === stage)
    const work = async () => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        await run(db, task).catch((error: unknown) => {
          waiting.length = 0
          throw error
        })
        done += task.effort
        tell(done / total)
      }
    }
    await allOf(Array.from({ length: CONNECTIONS }, work))
  }
  await dropTasks(db)
}

async function run(db: Db, task: LoadTask): Promise<void> {
  if (runsAlone(task)) return doAlone(db, task)
  await inTransaction(db, async (tx) => {
    await prepareSession(tx)
    await doTask(tx, task)
  })
}

/** Waits for all, also when one fails. */
async function allOf(works: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}
