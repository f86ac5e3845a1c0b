import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { recordAt } from './record.ts'

const fields = fc.record({ name: fc.constantFrom('a', 'b'), city: fc.constantFrom(null, 'x', 'y') })

describe('A record as of a time', () => {
  test('is the record after all entries up to then', () => {
    fc.assert(
      fc.property(fields, fc.array(fields, { maxLength: 6 }), fc.nat(7), (made, edits, cut) => {
        const states = [made, ...edits]
        const entries = states.map((state, n) => {
          const before: Record<string, unknown> = states[n - 1] ?? {}
          const names = (['name', 'city'] as const).filter((name) => n === 0 || state[name] !== before[name])
          const part = (of: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, of[name]]))
          return { at: new Date(n), before: n === 0 ? null : part(before), after: part(state) }
        })
        const found = recordAt(entries, new Date(cut))
        const then = Object.fromEntries(found.map((field) => [field.name, field.was]))
        const now = Object.fromEntries(found.map((field) => [field.name, field.is]))
        expect(then).toEqual(states[Math.min(cut, states.length - 1)])
        expect(now).toEqual(states.at(-1))
      }),
    )
  })

  test('comes from the log, also before its first change, beside the present values', async ({ service, clock }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user({ name: 'Ann' })
    const start = new Date(clock.now()).toISOString()
    await clock.tick(60_000)
    await panel.patch('/user-update', { id: userId, city: 'Ghent' })
    const between = new Date(clock.now()).toISOString()
    await clock.tick(60_000)
    await panel.patch('/user-update', { id: userId, city: 'Bruges', phone: '+32 9 123' })
    const cities = async (at: string) => {
      const answer = await panel.get(`/audit-log/record?entity=user&entity_id=${userId}&at=${at}`)
      const { fields: all } = answer.json<{ data: { fields: { name: string }[] } }>().data
      return all.find(({ name }) => name === 'city')
    }
    expect(await cities(start)).toEqual({ name: 'city', was: null, is: 'Bruges', is_changed: true })
    expect(await cities(between)).toEqual({ name: 'city', was: 'Ghent', is: 'Bruges', is_changed: true })
    expect(await cities('2100-01-01T00:00:00Z')).toMatchObject({ was: 'Bruges', is_changed: false })
  })

  test('is 422 for a moment that no clock shows, such as a leap second', async ({ service }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    await panel.patch('/user-update', { id: userId, city: 'Ghent' })
    for (const at of ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.5+00:00'])
      expectInvalid(
        await panel.get(`/audit-log/record?entity=user&entity_id=${userId}&at=${encodeURIComponent(at)}`),
        'at',
      )
  })

  test('is 404 for a record that is not in the log', async ({ service }) => {
    const panel = await givenPanel(service)
    const answer = await panel.get('/audit-log/record?entity=user&entity_id=999999&at=2026-01-01T00:00:00Z')
    expect(answer.statusCode).toBe(404)
  })
})
