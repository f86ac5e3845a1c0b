import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { readStatus, WHY } from '../../../test/support/halts.ts'
import { haltCommand, resumeCommand } from './halt-command.ts'

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

  test('change nothing without a reason, or for an unknown provider', async ({ service }) => {
    const { deps } = service
    for (const options of [{}, { reason: '  ' }, { reason: WHY, provider: 'pigeon' }])
      await expect(haltCommand.run(deps, options)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect((await readStatus(service)).breaker).toBe('closed')
  })
})
