import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, signedIn } from '../../../test/support/accounts.ts'
import { hold } from '../../../test/support/holds.ts'
import { startService } from '../../../test/support/service.ts'

const URL = '/api/user/save-phone-token'

test('a caller who hangs up while a limit is counted makes no fault', async () => {
  const service = await startService({ RATE_LIMITS: 'on' })
  onTestFinished(() => service.close())
  const { app, deps } = service
  const { data } = await signedIn(app, deps)
  const headers = bearer(data.token)
  await app.inject({ method: 'POST', url: URL, headers, payload: phone('first') })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const counting = await hold(service, `select from rate_limits where key like 'save-phone-token:%' for update`)
  const accepted = once(app.server, 'connection') as Promise<[Socket]>
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1' })
  const body = JSON.stringify(phone('second'))
  const lines = ['host: localhost', 'content-type: application/json', `authorization: ${headers['authorization']}`]
  socket.write(`POST ${URL} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  const [served] = await accepted
  await counting.untilWaiting(1)
  const closed = once(served, 'close').catch(() => undefined)
  socket.resetAndDestroy()
  await closed
  await counting.commit()
  const stored = async () => (await deps.db.selectFrom('mobile_devices').select('device_id').execute()).length
  await expect.poll(async () => (await stored()) === 2 || service.logged().includes('request failed')).toBe(true)
  expect(service.logged()).not.toContain('request failed')
})

function phone(token: string) {
  return { token: `ExponentPushToken[${token}]`, platform: 'ios', device_id: token }
}
