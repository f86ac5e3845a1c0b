// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { test } from './support/app.ts'
import { createGroup, requestToJoin } from '../src/marketplace/groups/groups.ts'
import { commitAs } from './support/commit.ts'
import { givenProduct } from './support/marketplace.ts'
import { givenPair, propose } from './support/swap-pair.ts'

test('on no route of the app does a blocked person see what the blocker says of themselves after the block', async ({
  service,
}) => {
  const { app, deps, routes } = service
  const { requester: blocked, owner: blocker, offered, requested, mine } = await givenPair(service)
  const swapId = await propose(mine, [offered], [requested])
  const shared = { join_policy: 'open', visibility: 'public' } as const
  const joined = await commitAs(blocker, deps, createGroup, { ...shared, name: 'Readers' })
  await commitAs(blocked, deps, requestToJoin, { groupId: joined.group_id })
  const foreign = await commitAs(blocker, deps, createGroup, { ...shared, name: 'Writers' })
  const walk = async () => {
    const ids = [swapId, requested, blocker.userId, joined.group_id, foreign.group_id]
    const urls = routes
      .filter(({ method, url, access }) => method === 'GET' && access === 'user' && url.startsWith('/api/v1/'))
      .filter(({ url }) => !/logout|stream/.test(url))
      .flatMap(({ url }) => ids.map((id) => url.replaceAll(/:\w+/g, String(id))))
    const shown: string[] = []
    for (const url of new Set(urls))
      if ((await app.inject({ url, headers: blocked.headers })).body.includes(marker)) shown.push(url)
    return shown
  }
  const marker = `m${randomUUID().slice(0, 8)}`
  await deps.db
    .updateTable('users')
    .set({ username: marker, name: marker, city: marker, avatar_url: `https://img.example.com/${marker}` })
    .where('user_id', '=', blocker.userId)
    .execute()
  await givenProduct(deps, blocker, { title: marker })
  const seenBefore = await walk()
  for (const part of ['/swaps', `/swaps/${swapId}`, `/groups/${joined.group_id}`, `/groups/${foreign.group_id}`])
    expect(seenBefore).toContain(`/api/v1${part}`)

  await app.inject({ method: 'POST', url: `/api/v1/users/${blocked.userId}/block`, headers: blocker.headers })
  expect(await walk()).toEqual([])
  const hidden = { url: `/api/v1/groups/${foreign.group_id}`, headers: blocked.headers }
  expect((await app.inject(hidden)).statusCode).toBe(404)
  expect((await app.inject({ ...hidden, method: 'POST', url: `${hidden.url}/join`, payload: {} })).statusCode).toBe(404)
  expect((await app.inject({ url: `/api/v1/swaps/${swapId}`, headers: blocker.headers })).json().data).toMatchObject({
    other: { id: blocked.userId },
  })
})
