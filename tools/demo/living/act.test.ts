// Slow: torture, the demonstration or the load.
import { expect } from 'vitest'
import { test } from '../../../server/test/support/app.ts'
import { drain } from '../../../server/test/support/drain.ts'
import { chancesFrom, givenLivingPeople } from '../../../server/test/support/living-people.ts'

test('demonstration people list, like, propose, talk and swap by calls of the app, and none of their calls is refused as wrong', async ({
  service,
}) => {
  const { live, statuses } = await givenLivingPeople(service, 4, chancesFrom(11))
  await live(160)
  await drain(service)

  const { swaps, lines, likes, completed, pushes } = await service.deps.db
    .selectNoFrom((of) => [
      of.selectFrom('swaps').select(of.fn.countAll<number>().as('n')).as('swaps'),
      of.selectFrom('swap_messages').select(of.fn.countAll<number>().as('n')).as('lines'),
      of.selectFrom('likes').select(of.fn.countAll<number>().as('n')).as('likes'),
      of.selectFrom('swaps').select(of.fn.countAll<number>().as('n')).where('status', '=', 'completed').as('completed'),
      of.selectFrom('messages').select(of.fn.countAll<number>().as('n')).as('pushes'),
    ])
    .executeTakeFirstOrThrow()
  for (const made of [swaps, lines, likes, completed, pushes]) expect(Number(made)).toBeGreaterThan(0)
  // 409: the action was not possible any more.
  const refused = [...statuses].filter(([status]) => ![200, 201, 409].includes(status))
  expect(refused).toEqual([])
})
