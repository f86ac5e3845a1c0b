import { describe, expect, test } from 'vitest'
import { actor, ownService } from '../../../test/support/tampering.ts'
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

/** A process with other secrets, as it is after its start. */
async function started(deps: Deps, secrets: Partial<Deps['config']>): Promise<Deps> {
  const config = { ...deps.config, ...secrets }
  const process = { ...deps, config, auditKeys: await openAuditKeys(deps.db, config) }
  await registerAuditKey(process)
  // It opens older keys once more, as each start does.
  return { ...process, auditKeys: await openAuditKeys(deps.db, config) }
}
