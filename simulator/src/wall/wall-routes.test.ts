import { describe, expect, it } from 'vitest'
import { call, messages, send, simulatorFor } from '../../test/simulator.ts'
import { fetchWall, watch } from '../../test/wall.ts'

describe('the phones over HTTP', () => {
  it.each([
    ['POST', '/simulator/phones', { platform: 'windows' }, 400, 'platform must be ios or android'],
    ['POST', '/simulator/phones', { platform: 'web' }, 400, 'kind must be one of expo'],
    ['POST', '/simulator/phones', { kind: 'apns' }, 400, 'kind must be one of expo'],
    ['POST', '/simulator/phones/1/kind', { kind: 'apns' }, 400, 'kind must be one of expo'],
    ['POST', '/simulator/phones/1/kind', {}, 400, 'kind must be one of expo'],
    ['POST', '/simulator/phones', { email: 7 }, 400, 'email must be a text'],
    ['POST', '/simulator/phones', { email: 'a@b.c', password: 'x'.repeat(129) }, 400, 'password must be a text'],
    ['POST', '/simulator/phones', [], 400, 'The body must be an object'],
    ['POST', '/simulator/phones', {}, 409, 'The simulator runs alone'],
    ['POST', '/simulator/phones/9/tap', { banner: 1 }, 404, 'There is no phone 9'],
    ['POST', '/simulator/phones/1/tap', {}, 400, 'banner must be the key of a banner'],
    ['POST', '/simulator/phones/1/tap', { banner: 99 }, 409, 'This banner is not there any more'],
    ['POST', '/simulator/phones/1/sign-in', {}, 409, 'there is no Swapbell to talk to'],
    ['POST', '/simulator/phones/1/sign-out', {}, 409, 'there is no Swapbell to talk to'],
    ['POST', '/simulator/phones/1/reinstall', {}, 409, 'This phone is only watched'],
    ['POST', '/simulator/phones/1/toString', {}, 404, 'No POST'],
    ['POST', '/simulator/phones/1/constructor', {}, 404, 'No POST'],
    ['DELETE', '/simulator/phones/9', undefined, 404, 'There is no phone 9'],
    ['POST', '/simulator/mode', { mode: 'toString' }, 400, 'mode must be one of works, slow'],
  ])('%s %s with %j is refused with a sentence', async (method, path, body, status, sentence) => {
    const simulator = await simulatorFor()
    await send(simulator, messages(1))
    await (
      await watch(simulator)
    )()
    const reply = await call(simulator.url + path, method, body)
    expect([reply.status, reply.problem]).toEqual([status, expect.stringContaining(sentence)])
  })

  it('a watched phone dismisses, opens at the deep link, goes offline and back, loses its app, and goes', async () => {
    const simulator = await simulatorFor()
    const to = 'ExponentPushToken[watched]'
    await send(simulator, [
      { to, title: 'A', data: { link: 'swapbell://a', notification_id: 1 } },
      { to, title: 'B' },
    ])
    await (
      await watch(simulator)
    )()
    const act = async (action: string, body: unknown = {}) =>
      call(`${simulator.url}/simulator/phones/1/${action}`, 'POST', body)
    const phone = async () => (await fetchWall(simulator)).phones[0]!
    const [b, a] = (await phone()).banners
    expect((await act('dismiss', { banner: b?.key })).status).toBe(200)
    expect((await act('tap', { banner: a?.key })).status).toBe(200)
    expect(await phone()).toMatchObject({ banners: [], screen: { heading: 'A', link: 'swapbell://a' } })
    await act('close')
    await act('offline')
    await send(simulator, { to, title: 'Late' })
    await (
      await watch(simulator)
    )()
    expect(await phone()).toMatchObject({ screen: null, isOnline: false, waiting: 1, banners: [] })
    await act('online')
    expect(await phone()).toMatchObject({ isOnline: true, waiting: 0, banners: [{ title: 'Late' }] })
    await act('delete-app')
    const { tickets } = await send(simulator, { to, title: 'Nobody there' })
    expect(tickets[0]).toMatchObject({ status: 'error', details: { error: 'DeviceNotRegistered' } })
    expect(await phone()).toMatchObject({ hasApp: false, banners: [] })
    expect((await call(`${simulator.url}/simulator/phones/1`, 'DELETE')).status).toBe(200)
    expect((await fetchWall(simulator)).phones).toEqual([])
  })

  it('are cleared by a reset', async () => {
    const simulator = await simulatorFor()
    await send(simulator, messages(2))
    const next = await watch(simulator)
    expect((await next()).phones).toHaveLength(2)
    await call(`${simulator.url}/simulator/reset`, 'POST')
    const after = await next()
    expect([after.phones, after.gone.length, after.traffic]).toEqual([[], 2, []])
  })
})
