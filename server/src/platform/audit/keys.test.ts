import { describe, expect, test } from 'vitest'
import { actor, appendUnkeyed, byHand, ownService, rehash, run } from '../../../test/support/tampering.ts'
import type { Deps } from '../../deps.ts'
import { recordAuditAlone } from './audit.ts'
import { openAuditKeys, registerAuditKey } from './keys.ts'
import { verifyAudit } from '../../administration/audit/verify.ts'

describe('The key of the log', () => {
  const OLD = 'an old secret, of 32 bytes or more'
  const NEW = 'a new secret, of 32 bytes or more'
  const OWN = 'a secret of its own, 32 bytes or more'

  test('changes with its secret, and what an older one signed is still checked', async () => {
    const { deps, clock } = await ownService()
    const steps = [
      { JWT_SECRET: OLD, JWT_PREVIOUS_SECRET: deps.config.JWT_SECRET },
      { JWT_SECRET: OLD, JWT_PREVIOUS_SECRET: NEW },
      { JWT_SECRET: NEW, JWT_PREVIOUS_SECRET: OLD },
      { JWT_SECRET: NEW, JWT_PREVIOUS_SECRET: '' },
      { JWT_SECRET: NEW, JWT_PREVIOUS_SECRET: '', AUDIT_SECRET: OWN },
    ]
    const keys = new Set<string>()
    for (const secrets of steps) {
      await clock.setTime(clock.now() + 1_000)
      const process = await started(deps, secrets)
      await recordAuditAlone(process, actor(), { action: 'login' })
      await recordAuditAlone(process, actor(), { action: 'login' })
      keys.add(process.auditKeys.current.id)
      expect((await verifyAudit(process)).broken).toBeUndefined()
    }
    expect(keys.size).toBe(3)
    const alone = await started(deps, { JWT_SECRET: 'none of those, and 32 bytes or more', AUDIT_SECRET: OWN })
    expect((await verifyAudit(alone)).broken).toBeUndefined()
    // An old secret opens no newer key.
    const { byId } = await openAuditKeys(deps.db, { ...deps.config, JWT_SECRET: OLD })
    expect([...keys].filter((id) => byId.has(id))).toHaveLength(1)
    const stranger = { ...deps, config: { ...deps.config, JWT_SECRET: 'of a stranger, who has no secret of ours' } }
    const found = await verifyAudit({ ...stranger, auditKeys: await openAuditKeys(deps.db, stranger.config) })
    expect(found.broken?.why).toMatch(/whose secret is not set here/)
  })
})

describe('Entries from before the log was keyed', () => {
  test('are reported as such, and nothing can change them after the first start with a key', async () => {
    const { deps } = await ownService()
    const check = () => verifyAudit(deps)
    await byHand(deps, async (tx) => {
      await run('truncate audit_log, audit_details')(tx)
      await run('delete from audit_head; delete from audit_keys')(tx)
      for (let id = 1; id <= 5; id++) await appendUnkeyed(tx, id)
    })
    expect(await check()).toMatchObject({ entries: 5, unkeyed: 5, unkeyedWithoutDetails: 5, broken: undefined })
    await registerAuditKey(deps)
    await registerAuditKey(deps)
    expect(await check()).toMatchObject({ entries: 6, unkeyed: 5, broken: undefined })
    // A process of the version before still runs for a while.
    await byHand(deps, (tx) => appendUnkeyed(tx, 7))
    expect((await check()).broken?.why).toMatch(/after 6 are not keyed/)
    await recordAuditAlone(deps, actor(), { action: 'login' })
    expect(await check()).toMatchObject({ entries: 8, unkeyed: 6, broken: undefined })
    await byHand(deps, (tx) => rehash(tx, 3, { actor_id: 99 }, undefined))
    expect((await check()).broken).toMatchObject({ auditId: 6 })
  })
})

/** A process with other secrets, as it is after its start. */
async function started(deps: Deps, secrets: Partial<Deps['config']>): Promise<Deps> {
  const config = { ...deps.config, ...secrets }
  const process = { ...deps, config, auditKeys: await openAuditKeys(deps.db, config) }
  await registerAuditKey(process)
  // It opens older keys once more, as each start does.
  return { ...process, auditKeys: await openAuditKeys(deps.db, config) }
}
