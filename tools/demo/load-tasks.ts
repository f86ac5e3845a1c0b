import type { Db } from '../../server/src/platform/db/connect.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import { must } from '../../server/src/platform/shared/must.ts'
import { prepareSession } from './bulk.queries.ts'
import type { Dataset } from './dataset.ts'
import { WORKS, type Step } from './fill.ts'
import { listTasks, runStatement, runVacuum, strikeOff, type LoadTask } from './load-tasks.queries.ts'

// One for each core of a small machine: PostgreSQL fills a table, and builds an index of words, on one.
const CONNECTIONS = 2

/**
 * Does what a step has left, stage by stage, on two connections. Each task is struck off in its own transaction, so
 * that none is done twice. `tell` hears the share (0 to 1) that is done.
 */
export async function doStep(db: Db, dataset: Dataset, step: Step, tell: (share: number) => void): Promise<void> {
  const tasks = await listTasks(db, step)
  const total = tasks.reduce((sum, { effort }) => sum + effort, 0)
  let done = 0
  for (const stage of new Set(tasks.map((task) => task.stage))) {
    const waiting = tasks.filter((task) => task.stage === stage)
    const workOff = async () => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        await doTask(db, dataset, task)
        done += task.effort
        tell(done / total)
      }
    }
    const connections = Array.from({ length: CONNECTIONS }, () =>
      workOff().catch((error: unknown) => {
        waiting.length = 0
        throw error
      }),
    )
    for (const end of await Promise.allSettled(connections)) if (end.status === 'rejected') throw end.reason
  }
}

async function doTask(db: Db, dataset: Dataset, task: LoadTask): Promise<void> {
  if (task.statement?.startsWith('vacuum')) {
    await runVacuum(db, task.statement)
    return strikeOff(db, task)
  }
  await inTransaction(db, async (tx) => {
    await prepareSession(tx)
    if (task.statement === null) await must(WORKS[task.work], 'work of a load').run(tx, dataset, task)
    else await runStatement(tx, task.statement)
    await strikeOff(tx, task)
  })
}
