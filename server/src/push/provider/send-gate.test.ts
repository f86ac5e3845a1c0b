import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { askStatus as ask, WHY } from '../../../test/support/halts.ts'
import { createSendGate, type SendGate } from './send-gate.ts'

describe('the gate before each request', () => {
  test('asks at most every 250 ms, sees a resume at once, and is closed when the answer is late or none', async ({
    service,
  }) => {
    const { db, log } = service.deps
    let now = 0
    let questions = 0
    const counting = new Proxy(db, {
      get: (target, name) => {
        if (name === 'selectFrom') questions++
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
    const gate = createSendGate(counting, 'expo', () => now)
    const isOpen = async (asked: SendGate) => (await asked(log)).isOpen
    expect(await Promise.all([isOpen(gate), isOpen(gate), isOpen(gate)])).toEqual([true, true, true])
    now = 250
    expect([await isOpen(gate), questions]).toEqual([true, 1])
    await ask(service, 'halt', { reason: WHY })
    expect(await isOpen(gate)).toBe(true)
    now = 251
    expect(await isOpen(gate)).toBe(false)
    await ask(service, 'resume')
    expect(await isOpen(gate)).toBe(true)

    now = 1_000
    const late = isOpen(gate)
    now = 1_751
    expect(await late).toBe(false)
    expect(await isOpen(createSendGate(counting, 'nobody'))).toBe(false)
  })
})
