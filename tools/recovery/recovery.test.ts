// Slow: a PostgreSQL that is backed up, lost and recovered.
import { expect, test } from 'vitest'
import { isInstalled } from '../../server/test/support/programs.ts'
import { promtool } from '../../server/test/support/prometheus.ts'
import { drillRecovery } from './drill.ts'
import { NEEDED } from './programs.ts'

test.skipIf(!isInstalled(...NEEDED))(
  'a lost database is recovered to the moment before an accident, and its backup is as old as the metrics say',
  async () => {
    const startedAt = Date.now() / 1_000
    const { before, recovered, marksAfterTheMoment, isSendingHalted, metrics } = await drillRecovery(() => undefined)
    expect(before).toEqual({ users: 2_000, marks: 200 })
    expect(recovered).toEqual(before)
    expect(marksAfterTheMoment).toBe(200)
    expect(isSendingHalted).toBe(true)
    const [, endedAt] = /^swapbell_backup_last_success_timestamp_seconds (\d+)$/m.exec(metrics) ?? []
    expect(Number(endedAt)).toBeGreaterThanOrEqual(Math.floor(startedAt))
    expect(metrics).toMatch(/^swapbell_backup_status 0$/m)
    if (isInstalled('promtool')) expect(promtool(['check', 'metrics'], metrics)).toBe('')
  },
  10 * 60_000,
)
