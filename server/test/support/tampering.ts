import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Tx } from '../../src/platform/db/connect.ts'
import type { Deps } from '../../src/deps.ts'
import type { Actor } from '../../src/platform/audit/audit.ts'
import { hashWithKey, type AuditKey, type Link } from '../../src/platform/audit/chain.ts'
import { startService, type Service } from './service.ts'

/** A service whose log is its own: what is done to it stays. */
export async function ownService(): Promise<Service> {
  const service = await startService()
  onTestFinished(() => service.close())
  return service
}

/** Does what only somebody with all rights can, for good. */
export function byHand({ db }: Deps, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await work(tx)
  })
}

/** Somebody who makes a call. */
export function actor(overrides: Partial<Actor> = {}): Actor {
  return { userId: 1, role: 'admin', ip: '192.0.2.7', userAgent: 'a browser', requestId: 'r-1', ...overrides }
}

/** A statement that tampers. */
export function run(statement: string): (tx: Tx) => Promise<unknown> {
  return (tx) => sql.raw(statement).execute(tx)
}

/** Changes an entry, and gives it and all after it new hashes under a key that is not ours. */
async function rehash(tx: Tx, from: number, change: Partial<Link>, key: AuditKey): Promise<void> {
  const links = await readLinks(tx)
  let previous = links.findLast((link) => link.audit_id < from)?.hash ?? '0'.repeat(64)
  for (const link of links.filter(({ audit_id }) => audit_id >= from)) {
    const edited = { ...link, ...(link.audit_id === from && change), previous_hash: previous }
    previous = hashWithKey(edited, key)
    const { audit_id, actor_id } = edited
    const row = { actor_id, previous_hash: edited.previous_hash, hash: previous }
    await tx.updateTable('audit_log').set(row).where('audit_id', '=', audit_id).execute()
  }
}

// The key of the entries is known by its id alone.
async function guessedKey(tx: Tx): Promise<AuditKey> {
  const [link] = await readLinks(tx)
  return { id: link?.key_id ?? '', secret: Buffer.alloc(32) }
}

/** An entry changed, and it and all after it given new hashes. */
export async function editAndRehash(tx: Tx): Promise<void> {
  await rehash(tx, 2, { actor_id: 99 }, await guessedKey(tx))
}

/** An entry deleted, and all after it numbered and hashed anew. */
export async function deleteAndRehash(tx: Tx): Promise<void> {
  await run('delete from audit_details where audit_id = 2; delete from audit_log where audit_id = 2')(tx)
  await run('update audit_details set audit_id = audit_id - 1 where audit_id > 2')(tx)
  for (const { audit_id } of (await readLinks(tx)).filter((link) => link.audit_id > 2))
    await run(`update audit_log set audit_id = ${audit_id - 1} where audit_id = ${audit_id}`)(tx)
  await rehash(tx, 2, {}, await guessedKey(tx))
}

/** The tail cut off, and the stored end moved. */
export async function cutWithHead(tx: Tx): Promise<void> {
  await run('delete from audit_log where audit_id > 2')(tx)
  await run('update audit_head set audit_id = 2, hash = (select hash from audit_log where audit_id = 2)')(tx)
}

/** The tail cut off, and the stored end deleted. */
export async function cutWithoutHead(tx: Tx): Promise<void> {
  await run('delete from audit_log where audit_id > 2; delete from audit_head')(tx)
}

async function readLinks(tx: Tx): Promise<Link[]> {
  return tx.selectFrom('audit_log').selectAll().orderBy('audit_id').execute()
}
