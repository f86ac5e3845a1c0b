import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { findHistory, recordStateChanges } from './history.ts'

test('the history says who changed a record, when and why; the service is nobody', async ({ deps, given }) => {
  const { userId } = await given.user()
  const change = { entity: 'swap', entity_id: 7, user_id: null } as const
  await commitAs({ userId }, deps, recordStateChanges, [
    { ...change, from_state: 'accepted', to_state: 'disputed', actor: 'user', note: 'by_owner' },
    { ...change, from_state: 'disputed', to_state: 'invalidated', actor: 'system' },
  ])
  const at = new Date(deps.clock.now())
  expect(await findHistory(deps.db, 'swap', 7)).toEqual([
    { from_state: 'disputed', to_state: 'invalidated', actor: 'system', actor_id: null, note: null, at },
    { from_state: 'accepted', to_state: 'disputed', actor: 'user', actor_id: userId, note: 'by_owner', at },
  ])
})
