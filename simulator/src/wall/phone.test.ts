import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newPhone, receive, setOnline, takeBanner, type Phone } from './phone.ts'
import { readPush, type Message, type Platform } from './push.ts'

const NOW = 1_000_000

function from(fields: Record<string, unknown>): Message {
  return { provider: 'expo', time: NOW, token: 'ExponentPushToken[a]', fields }
}

function toPhone(platform: Platform): Phone {
  return newPhone({ id: 1, platform, kind: 'expo', name: 'A phone', account: null, token: 'ExponentPushToken[a]' })
}

/** Brings messages to a phone, the first with key 1. */
function bring(phone: Phone, ...messages: Record<string, unknown>[]): void {
  for (const [index, fields] of messages.entries()) receive(phone, readPush(from(fields), phone.platform), index + 1)
}

function titles({ banners }: Phone) {
  return banners.map(({ title }) => title)
}

describe('a phone', () => {
  it.each([
    ['ios', 'collapseId'],
    ['android', 'tag'],
  ] as const)('%s shows one banner for pushes of the same %s, the latest', (platform, field) => {
    const phone = toPhone(platform)
    bring(phone, { title: 'Old', [field]: 's' }, { title: 'Other' }, { title: 'New', [field]: 's' })
    expect(titles(phone)).toEqual(['New', 'Other'])
    expect(phone.banners[0]).toMatchObject({ copies: 2, chip: 'replaced an earlier one' })
  })

  it('of Android does not merge shown banners by collapseId, nor one of iOS by tag', () => {
    for (const [platform, field] of [
      ['android', 'collapseId'],
      ['ios', 'tag'],
    ] as const) {
      const phone = toPhone(platform)
      bring(phone, { title: 'One', [field]: 's' }, { title: 'Two', [field]: 's' })
      expect(titles(phone)).toEqual(['Two', 'One'])
    }
  })

  it('distinguishes a merged second copy from one that is shown twice', () => {
    const data = { notification_id: 'n7' }
    const merged = toPhone('ios')
    bring(merged, { title: 'A', data, collapseId: 'n7' }, { title: 'A', data, collapseId: 'n7' })
    expect(merged.banners).toMatchObject([{ copies: 2, chip: 'same push again, merged' }])
    const twice = toPhone('ios')
    bring(twice, { title: 'A', data }, { title: 'A', data })
    expect(twice.banners.map(({ chip }) => chip)).toEqual(['same push shown twice', null])
  })

  it('takes its badge from the push, keeps it when there is none, and shows no banner for a push without text', () => {
    const phone = toPhone('ios')
    bring(phone, { title: 'A', badge: 3 }, { title: 'B' })
    expect([phone.badge, titles(phone)]).toEqual([3, ['B', 'A']])
    bring(phone, { badge: 0, data: { x: 1 } })
    expect([phone.badge, phone.banners.length]).toEqual([0, 2])
  })

  it('that is offline shows nothing until it is back; then what expired meanwhile is not shown', () => {
    const phone = toPhone('android')
    setOnline(phone, false, NOW, () => 0)
    bring(phone, { title: 'Stays' }, { title: 'By ttl', ttl: 5 }, { title: 'Expires', expiration: NOW / 1000 + 5 })
    expect([phone.banners.length, phone.waiting.length]).toEqual([0, 3])
    let key = 10
    setOnline(phone, true, NOW + 6_000, () => key++)
    expect(titles(phone)).toEqual(['Stays'])
    expect(phone.note).toBe('Online again: 1 push came late. 2 pushes had expired and will not be shown.')
  })

  it('that is offline has one push waiting if it is an iPhone, 100 if it runs Android, merged by collapseId', () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ title: `T${index}` }))
    for (const [platform, most] of [
      ['ios', 1],
      ['android', 100],
    ] as const) {
      const phone = toPhone(platform)
      setOnline(phone, false, NOW, () => 0)
      bring(phone, ...many)
      expect(phone.waiting).toHaveLength(most)
      expect(phone.waiting.at(-1)?.title).toBe('T149')
      expect(phone.note).toContain('an earlier one is gone')
    }
    const merging = toPhone('android')
    setOnline(merging, false, NOW, () => 0)
    bring(merging, { title: 'A', collapseId: 'c' }, { title: 'B', collapseId: 'c' })
    expect(merging.waiting.map(({ title }) => title)).toEqual(['B'])
  })

  it('without the app gets nothing', () => {
    const phone = { ...toPhone('ios'), hasApp: false }
    bring(phone, { title: 'A', badge: 1 })
    expect([phone.banners, phone.badge]).toEqual([[], 0])
  })

  it('returns a banner only once', () => {
    const phone = toPhone('ios')
    bring(phone, { title: 'A' })
    expect(takeBanner(phone, 1)?.title).toBe('A')
    expect(takeBanner(phone, 1)).toBeUndefined()
  })

  it('never shows two banners of one slot or more than 10, whatever comes and whenever it is online', () => {
    const message = fc.record({
      title: fc.option(fc.string(), { nil: undefined }),
      collapseId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      tag: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      data: fc.record({ notification_id: fc.integer({ min: 1, max: 4 }) }),
    })
    const step = fc.oneof(message, fc.boolean())
    fc.assert(
      fc.property(fc.constantFrom('ios', 'android'), fc.array(step, { maxLength: 60 }), (platform, steps) => {
        const phone = toPhone(platform)
        let key = 1
        for (const one of steps) {
          if (typeof one === 'boolean') setOnline(phone, one, NOW, () => key++)
          else receive(phone, readPush(from(one), phone.platform), key++)
        }
        const slots = phone.banners.flatMap(({ slot }) => slot ?? [])
        expect(new Set(slots).size).toBe(slots.length)
        expect(phone.banners.length).toBeLessThanOrEqual(10)
        expect(new Set(phone.banners.map((banner) => banner.key)).size).toBe(phone.banners.length)
      }),
    )
  })
})
