import { describe, expect, it } from 'vitest'
import { accept, acceptedAfter, createLedger, findTicketRecord } from './ledger.ts'

describe('ledger', () => {
  it('returns every field unchanged, in any characters', () => {
    const ledger = createLedger()
    const odd = ['', 'plain', 'qu"ote\\', 'línea\n\u0000', '🙂', '\ud800', '\u2028', 'x'.repeat(3_000_000), '0']
    for (const [index, text] of odd.entries()) {
      const fields = { data: { notification_id: text }, collapseId: text, tag: `${text}!` }
      accept(ledger, { time: index, request: 9, token: text, fields, plan: 'ok' })
    }
    const read = [...acceptedAfter(ledger, 0)]
    expect(read.map(({ notification_id: id, token, collapseId, tag }) => [id, token, collapseId, tag])).toEqual(
      odd.map((text) => [text, text, text, `${text}!`]),
    )
    expect(read.map(({ time, sequence, request }) => [time, sequence, request])).toEqual(
      odd.map((_, index) => [index, index + 1, 9]),
    )
  })

  it('keeps absent fields and numbers apart from texts', () => {
    const ledger = createLedger()
    const list = [
      {},
      { data: null, collapseId: null, tag: null },
      { data: { notification_id: 7 }, collapseId: '7', tag: null },
    ]
    for (const fields of list) accept(ledger, { time: 0, request: 1, token: 't', fields, plan: 'ok' })
    expect([...acceptedAfter(ledger, 0)]).toMatchObject([
      { notification_id: null, collapseId: null, tag: null },
      { notification_id: null, collapseId: null, tag: null },
      { notification_id: 7, collapseId: '7', tag: null },
    ])
  })

  it('counts each further copy of a notification, and none without an id', () => {
    const ledger = createLedger()
    const copies = 5000
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < copies; index++) {
        const fields = { data: { notification_id: `n-${index}` } }
        accept(ledger, { time: 0, request: 1, token: 't', fields, plan: 'ok' })
        accept(ledger, { time: 0, request: 1, token: 't', fields: {}, plan: 'ok' })
      }
    }
    expect([ledger.count, ledger.duplicates]).toEqual([6 * copies, 2 * copies])
  })

  it('distinguishes two notifications whose ids have the same hash', () => {
    const ledger = createLedger()
    for (const id of ['costarring', 'liquid']) {
      accept(ledger, { time: 0, request: 1, token: 't', fields: { data: { notification_id: id } }, plan: 'ok' })
    }
    expect(ledger.duplicates).toBe(0)
  })

  it('finds the fate of every ticket among thousands, each with an id of its own', () => {
    const ledger = createLedger()
    const tickets = Array.from({ length: 5000 }, (_, index) =>
      accept(ledger, {
        time: index,
        request: 1,
        token: 't',
        fields: {},
        plan: index % 7 === 0 ? `error:Code${'abc'[index % 3]}` : 'ok',
      }),
    )
    expect(new Set(tickets).size).toBe(5000)
    for (const [index, ticket] of tickets.entries()) {
      const plan = index % 7 === 0 ? `error:Code${'abc'[index % 3]}` : 'ok'
      expect(findTicketRecord(ledger, ticket)).toEqual({ sequence: index + 1, time: index, plan })
    }
  })

  it('begins after the requested sequence number', () => {
    const ledger = createLedger()
    for (let index = 0; index < 5; index++) accept(ledger, { time: 0, request: 1, token: 't', fields: {}, plan: 'ok' })
    expect([...acceptedAfter(ledger, 3)].map(({ sequence }) => sequence)).toEqual([4, 5])
    expect([...acceptedAfter(ledger, 5)]).toEqual([])
  })
})
