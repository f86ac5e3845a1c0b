import type { Deps } from '../../src/deps.ts'
import type { Tx } from '../../src/platform/db/connect.ts'
import { inTransaction } from '../../src/platform/db/transaction.ts'

/** Runs a rule in a transaction of its own, as `write` does for a route, and gives its record. */
export function commit<Input extends unknown[], R>(
  deps: Deps,
  rule: (deps: Deps, tx: Tx, ...input: Input) => Promise<R>,
  ...input: Input
): Promise<R> {
  return inTransaction(deps.db, (tx) => rule(deps, tx, ...input))
}
