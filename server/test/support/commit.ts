import type { Deps } from '../../src/deps.ts'
import { THE_SERVICE, type Actor } from '../../src/platform/audit/audit.ts'
import type { Tx } from '../../src/platform/db/connect.ts'
import { inTransaction } from '../../src/platform/db/transaction.ts'
import { inWork, type Work } from '../../src/platform/work/work.ts'

/** Runs a rule in a transaction of its own, as `write` does for a route, and gives its record. */
export function commit<Input extends unknown[], R>(
  deps: Deps,
  rule: (deps: Deps, tx: Tx, ...input: Input) => Promise<R>,
  ...input: Input
): Promise<R> {
  return inTransaction(deps.db, (tx) => rule(deps, tx, ...input))
}

/** The same for a rule that is handed the change, made by `by`. */
export function commitWork<Input extends unknown[], R>(
  deps: Deps,
  rule: (work: Work, ...input: Input) => Promise<R>,
  ...input: Input
): Promise<R> {
  return commitWorkBy(THE_SERVICE, deps, rule, ...input)
}

export function commitWorkBy<Input extends unknown[], R>(
  by: Actor,
  deps: Deps,
  rule: (work: Work, ...input: Input) => Promise<R>,
  ...input: Input
): Promise<R> {
  return inWork(deps, by, (work) => rule(work, ...input))
}

/** The same, made by an account. */
export function commitAs<Input extends unknown[], R>(
  { userId }: { userId: number },
  deps: Deps,
  rule: (work: Work, ...input: Input) => Promise<R>,
  ...input: Input
): Promise<R> {
  return commitWorkBy({ ...THE_SERVICE, userId }, deps, rule, ...input)
}
