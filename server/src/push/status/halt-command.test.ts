import { afterEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { askStatus, readStatus, statusOfMessage, WHY } from '../../../test/support/halts.ts'
import type { Service } from '../../../test/support/service.ts'
import { addProviders } from '../provider/provider-state.queries.ts'
import { haltCommand, resumeCommand } from './halt-command.ts'

const ELSEWHERE = 'apns/swapbell/production'

async function readBreakers({ deps }: Service): Promise<Record<string, string>> {
  const rows = await deps.db.selectFrom('provider_state').select(['provider', 'breaker']).orderBy('provider').execute()
  return Object.fromEntries(rows.map(({ provider, breaker }) => [provider, breaker]))
}

afterEach<{ service: Service }>(async ({ service }) => {
  await calmDown(service)
  await service.deps.db.deleteFrom('alerts').execute()
  await service.deps.db.deleteFrom('provider_state').where('provider', '=', ELSEWHERE).execute()
})

describe('the commands of an operator', () => {
  test('halt and resume, with audit entries that name no account', async ({ service }) => {
    const { deps } = service
    const messageId = await send(service, await usersWithPhones(service, 1))
    expect(await haltCommand.run(deps, { reason: WHY })).toEqual({ text: 'Sending by expo is halted.', isGood: true })
    expect(await readStatus(service)).toMatchObject({ breaker: 'halted', halt: { by: null, reason: WHY } })
    expect(await resumeCommand.run(deps, { provider: 'expo' })).toEqual({
      text: 'Sending by expo is resumed; 1 campaigns go on.',
      isGood: true,
    })
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
    const entries = deps.db.selectFrom('audit_log').select(['action', 'actor_id']).orderBy('audit_id', 'desc').limit(2)
    expect(await entries.execute()).toEqual([
      { action: 'sending.resume', actor_id: null },
      { action: 'sending.halt', actor_id: null },
    ])
  })

  test('halt and resume every provider of the database, also those that their own settings do not have', async ({
    service,
  }) => {
    const { deps } = service
    await addProviders(deps.db, [ELSEWHERE])
    const messageId = await send(service, await usersWithPhones(service, 1))
    expect(await haltCommand.run(deps, { reason: WHY })).toMatchObject({
      text: `Sending by ${ELSEWHERE}, expo is halted.`,
    })
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'halted', expo: 'halted' })
    expect((await readStatus(service)).alerts).toMatchObject([
      { code: 'HaltedByHand', providers: [ELSEWHERE, 'expo'], resolved_at: null },
    ])
    expect(await resumeCommand.run(deps, {})).toMatchObject({
      text: `Sending by ${ELSEWHERE}, expo is resumed; 1 campaigns go on.`,
    })
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'closed', expo: 'closed' })
    expect((await readStatus(service)).alerts).toMatchObject([{ resolved_at: expect.any(String) as string }])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])

    expect(await haltCommand.run(deps, { reason: WHY, provider: ELSEWHERE })).toMatchObject({ isGood: true })
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'halted', expo: 'closed' })
    await resumeCommand.run(deps, { provider: ELSEWHERE })
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'closed', expo: 'closed' })
  })

  test('halt one provider, also without the settings of the others, and campaigns go on by those', async ({
    service,
  }) => {
    await addProviders(service.deps.db, [ELSEWHERE])
    const messageId = await send(service, await usersWithPhones(service, 1))
    await haltCommand.run(service.deps, { reason: WHY, provider: 'expo' })
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'closed', expo: 'halted' })
    expect(await statusOfMessage(service, messageId)).toMatchObject({ pause_reason: null })
  })

  test('and the API halts and resumes as many', async ({ service }) => {
    await addProviders(service.deps.db, [ELSEWHERE])
    await askStatus(service, 'halt', { reason: WHY })
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'halted', expo: 'halted' })
    await askStatus(service, 'resume')
    expect(await readBreakers(service)).toEqual({ [ELSEWHERE]: 'closed', expo: 'closed' })
  })

  test('resume a campaign at once that another provider than those of the settings can send', async ({ service }) => {
    const { deps } = service
    await addProviders(deps.db, [ELSEWHERE])
    const messageId = await send(service, await usersWithPhones(service, 1))
    await haltCommand.run(deps, { reason: WHY })
    expect(await statusOfMessage(service, messageId)).toMatchObject({ status: 'paused' })
    await resumeCommand.run(deps, { provider: ELSEWHERE })
    expect(await statusOfMessage(service, messageId)).not.toMatchObject({ status: 'paused' })
    await resumeCommand.run(deps, {})
  })

  test('change nothing without a reason, or for an unknown provider', async ({ service }) => {
    const { deps } = service
    for (const options of [{}, { reason: '  ' }, { reason: WHY, provider: 'pigeon' }])
      await expect(haltCommand.run(deps, options)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect((await readStatus(service)).breaker).toBe('closed')
  })
})
