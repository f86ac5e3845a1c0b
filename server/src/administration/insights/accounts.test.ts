// Slow: a second or more for each test, or five for the file.
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../accounts/purge.ts'
import { rebuildInsights, refreshInsights } from './refresh.ts'

const DAY_MS = 86_400_000

type Slice = { date: string; active: number; inactive: number; engaged_28d: number; dormant_28d: number }

test('recently active accounts are a part of the existing ones, also after deletions, restorations and purges', async ({
  service,
}) => {
  const { deps, given, clock } = service
  const panel = await givenPanel(service)
  const [stays, goes, never] = [await given.user(), await given.user(), await given.user()]
  const anew = async (days: number) => {
    await clock.setTime(clock.now() + days * DAY_MS)
    const { token } = await deps.sessions.open({ userId: panel.user.userId })
    panel.user.headers.authorization = `Bearer ${token}`
  }
  for (const { userId } of [stays, goes]) deps.activity.touch(userId)
  await deps.activity.flush()
  expect(await today(service, panel)).toMatchObject({ engaged_28d: 2, dormant_28d: 2 })

  await panel.delete(`/user/${goes.userId}`)
  expect(await today(service, panel)).toMatchObject({ engaged_28d: 1, dormant_28d: 2 })
  await anew(1)
  expect((await panel.post(`/user/${goes.userId}/restore`)).statusCode).toBe(200)
  expect(await today(service, panel)).toMatchObject({ engaged_28d: 2, dormant_28d: 2 })
  const before = (await series(service, panel)).at(-2)
  expect(before).toMatchObject({ engaged_28d: 1, dormant_28d: 2 })

  await anew(1)
  await panel.delete(`/user/${goes.userId}`)
  await panel.delete(`/user/${never.userId}`)
  expect(await today(service, panel)).toMatchObject({ engaged_28d: 1, dormant_28d: 1 })
  const deletedOn = (await series(service, panel)).at(-1)!.date
  await anew(31)
  await purgeUsers(deps, AbortSignal.timeout(20_000))
  const days = await series(service, panel)
  expect(days.at(-1)).toMatchObject({ engaged_28d: 0, dormant_28d: 2 })
  expect(days.find(({ date }) => date === deletedOn)).toMatchObject({ engaged_28d: 1, dormant_28d: 1 })

  await rebuildInsights(deps)
  expect(await today(service, panel)).toMatchObject({ engaged_28d: 0, dormant_28d: 2 })
})

test('an account is no part of the days on which it was deleted, when it was restored and used again later', async ({
  service,
}) => {
  const { deps, given, clock } = service
  const panel = await givenPanel(service)
  const { userId } = await given.user()
  const on = async (days: number) => {
    await clock.setTime(clock.now() + days * DAY_MS)
    const { token } = await deps.sessions.open({ userId: panel.user.userId })
    panel.user.headers.authorization = `Bearer ${token}`
  }
  const use = async () => {
    deps.activity.touch(userId)
    await deps.activity.flush()
  }
  await use()
  await on(2)
  await panel.delete(`/user/${userId}`)
  await on(3)
  await panel.post(`/user/${userId}/restore`)
  await use()
  await on(1)
  await panel.delete(`/user/${userId}`)
  await on(2)
  await panel.post(`/user/${userId}/restore`)
  const engaged = (await series(service, panel)).slice(-9).map(({ engaged_28d: count }) => count)
  const [first] = engaged
  expect(engaged).toEqual([1, 1, 0, 0, 0, 1, 0, 0, 1].map((count) => count + first! - 1))
})

async function today(service: Service, panel: Panel): Promise<Slice> {
  return (await series(service, panel)).at(-1)!
}

/** The days of the last weeks; on each the two ways to part the accounts come to the same. */
async function series({ deps, clock }: Service, panel: Panel): Promise<Slice[]> {
  await refreshInsights(deps)
  const start = new Date(clock.now() - 40 * DAY_MS).toISOString().slice(0, 10)
  const answer = await panel.get(`/insight/active-inactive-accounts?start_date=${start}&compare=none`)
  const slices = answer.json<{ data: { series: Slice[] } }>().data.series
  for (const slice of slices) expect(slice.engaged_28d + slice.dormant_28d).toBe(slice.active + slice.inactive)
  return slices
}
