// Slow: many costly requests, or long data.
import { describe, expect, onTestFinished, vi } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { readLedger } from '../../../test/support/ledger.ts'
import type { Link } from '../../../test/support/link.ts'
import { processBehindLink } from '../../../test/support/processes.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { settle } from './settle.ts'

const HOUR_MS = 3_600_000
const LOST = 'the process stops with tickets that it could not store'

/** A process that has tickets in hand and cannot reach the database; `settling` is how it tries to store them. */
async function withTicketsInHand(
  service: Service,
): Promise<{ deps: Deps; link: Link; messageId: number; settling: Promise<void> }> {
  const { deps, link } = await processBehindLink(service)
  const messageId = await send(service, await usersWithPhones(service, 2))
  const claim = await claimAll(service, messageId)
  const answers = await callAll(service, claim)
  link.down()
  const settling = settle({ ...deps, ...deps.providers[0] }, claim, answers)
  settling.catch(() => undefined)
  await expect.poll(() => service.logged()).toContain(`"claim":${claim.number},`)
  return { deps, link, messageId, settling }
}

/** Time that waits are measured by passes at once. */
function passTime(ms: number): void {
  vi.useFakeTimers({ toFake: ['performance'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  vi.advanceTimersByTime(ms)
}

describe('tickets in hand while the database is unreachable', () => {
  test('are kept however long it takes', async ({ service }) => {
    const { link, messageId, settling } = await withTicketsInHand(service)
    passTime(HOUR_MS)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    link.flow()
    await settling
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }, { is_send: true }])
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 2, possibleDuplicates: 0 })
    await expectTruth(service, messageId)
  })

  test('are given up by a process that stops, which logs how many are lost', async ({ service }) => {
    const { deps, settling } = await withTicketsInHand(service)
    deps.lifecycle.givingUp.abort()
    await expect(settling).rejects.toThrow(/ECONN/)
    expect(toLines(service, LOST)).toEqual([2])
  })

  test('on a dead link are also logged when the process stops', async ({ service }) => {
    const { deps, link, settling } = await withTicketsInHand(service)
    const earlier = toLines(service, LOST).length
    link.flow()
    link.stall()
    await new Promise((resolve) => setTimeout(resolve, 600))
    deps.lifecycle.givingUp.abort()
    expect(toLines(service, LOST)).toHaveLength(earlier + 1)
    link.flow()
    await settling
  })
})

/** How many tickets each such line of the log names. */
function toLines(service: Service, message: string): number[] {
  const lines = service.logged().split('\n')
  const found = lines.filter((line) => line.includes(message)).map((line) => JSON.parse(line) as { accepted: number })
  return found.map((line) => line.accepted)
}
