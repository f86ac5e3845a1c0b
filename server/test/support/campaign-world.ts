import { test } from './app.ts'
import { send } from './campaign.ts'
import { drain } from './drain.ts'

type Inbox = { data: { notification_id: number }[] }

/** Tests on three campaigns, of which the last, `messageId`, has recipients in every state. */
export const campaigns = test.extend<'messageId', number>('messageId', { scope: 'file' }, async ({ service }) => {
  const { given } = service
  const people = [
    await given.user({ name: 'Ada 100% Byron', email: 'ada_b@example.com', devices: [{}, { platform: 'android' }] }),
    await given.user({ name: 'Bob 100 Byron', email: 'adaxb@example.com', devices: [{ deviceId: 'bobs phone' }] }),
    await given.user({
      name: 'Cho\\Lee',
      email: 'cho@example.org',
      devices: [{ token: 'ExponentPushToken[dead-cho]' }],
    }),
    await given.user({ name: 'Dan', devices: [{ token: 'ExponentPushToken[gone-dan]', platform: 'android' }] }),
  ]
  for (const title of ['One', 'Two']) await send(service, people.slice(0, 1), { title })
  const messageId = await send(service, people)
  await drain(service)
  await service.app.inject({ url: '/api/admin/process-receipts', headers: (await given.admin()).headers })
  await drain(service)
  const inbox = await service.app.inject({ url: '/api/notification', headers: people[1]!.headers })
  const id = inbox.json<Inbox>().data[0]?.notification_id
  await service.app.inject({ url: `/api/notification/${id}/read`, headers: people[1]!.headers })
  return messageId
})
