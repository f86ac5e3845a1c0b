import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { Answer } from '../../../test/support/faults.ts'

test('a join request across a block is answered as any other, and never sent', async ({ service }) => {
  const { app, given } = service
  const [sender, blocker, other] = [
    await given.user(),
    await given.user({ devices: [{}] }),
    await given.user({ devices: [{}] }),
  ]
  const block = { method: 'POST', url: `/api/v1/users/${sender.userId}/block`, headers: blocker.headers } as const
  expect((await app.inject(block)).statusCode).toBe(200)
  const ask = (userId: number) =>
    app.inject({
      method: 'POST',
      url: '/api/send-group-join-notification',
      headers: sender.headers,
      payload: { admin_user_id: userId, title: 'Join?', text: 'Please let me in', link: 'swapbell://groups/7' },
    })
  const answers = [await ask(blocker.userId), await ask(other.userId)]
  const [toBlocker, toOther] = answers.map((answer) => [
    answer.statusCode,
    { ...answer.json<{ data: object }>().data, notification_id: 'another' },
  ])
  expect(toBlocker).toEqual(toOther)
  await drain(service)
  const sent = await Promise.all(answers.map(async (answer) => (await readCopies(service, toId(answer))).length))
  expect(sent).toEqual([0, 1])
})

function toId(answer: Answer): number {
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}
