import { describe, expect, test } from 'vitest'
import { TRIGGERS, type Facts, type Push } from './events.ts'

/** The ids by which the app opens what each event is about. */
const CARRIED: Record<keyof Facts, [push: Push, ids: Record<string, number>]> = {
  'swap.moved': [
    TRIGGERS['swap.moved'].push({ swapId: 3, status: 'accepted', now: 'accepted', isUnanswered: false }),
    { transaction_id: 3 },
  ],
  'swap.message': [TRIGGERS['swap.message'].push({ swapId: 3, messageId: 4 }), { transaction_id: 3, message_id: 4 }],
  match: [TRIGGERS.match.push({ productId: 5, userId: 6 }), { product_id: 5, user_id: 6 }],
  'group.join_requested': [TRIGGERS['group.join_requested'].push({ groupId: 7, userId: 6 }), { group_id: 7 }],
  'group.joined': [TRIGGERS['group.joined'].push({ groupId: 7 }), { group_id: 7 }],
  'group.invited': [TRIGGERS['group.invited'].push({ groupId: 7 }), { group_id: 7 }],
  'product.verified': [TRIGGERS['product.verified'].push({ productId: 5 }), { product_id: 5 }],
  'product.refused': [
    TRIGGERS['product.refused'].push({ productId: 5, to: 'rejected', reasonCode: 'other', message: 'No.' }),
    { product_id: 5 },
  ],
  'product.removed': [TRIGGERS['product.removed'].push({ productId: 5 }), { product_id: 5 }],
  'product.deleted': [TRIGGERS['product.deleted'].push({ productId: 5 }), { product_id: 5 }],
  'product.warned': [TRIGGERS['product.warned'].push({ productId: 5, message: 'Be fair.' }), { product_id: 5 }],
  'report.decided': [TRIGGERS['report.decided'].push({ productId: 5, status: 'dismissed' }), { product_id: 5 }],
}

describe('The push of an event', () => {
  test.for(Object.keys(TRIGGERS) as (keyof Facts)[])('%s carries the ids of what it is about', (name) => {
    const [{ data, place }, ids] = CARRIED[name]
    const carried = Object.entries(data).filter(([field]) => field.endsWith('_id'))
    expect(Object.fromEntries(carried)).toEqual(ids)
    if ('id' in place) expect(Object.values(ids)).toContain(place.id)
  })
})
