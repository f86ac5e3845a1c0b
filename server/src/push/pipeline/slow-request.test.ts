import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { drain } from '../../../test/support/drain.ts'

test('the tickets of a request are stored before a slow one of the same claim is answered', async ({
  service,
  given,
}) => {
  await given.crowd(150)
  const slow = Promise.withResolvers<void>()
  service.simulator.script([{ match: 'send', until: slow.promise }])
  const headers = (await given.admin()).headers
  const payload = { title: 'To all', text: 'There' }
  await service.app.inject({ method: 'POST', url: '/api/admin/send-notification-all', headers, payload })
  const sent = async () => {
    const rows = service.deps.db.selectFrom('notifications').select('notification_id').where('is_send', '=', true)
    return (await rows.execute()).length
  }
  const sending = drain(service)
  await expect.poll(sent).toBe(50)
  slow.resolve()
  await sending
  expect(await sent()).toBe(150)
})
