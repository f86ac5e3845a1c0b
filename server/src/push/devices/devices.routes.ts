import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { createRegisterDevice, releaseDevice } from './devices.ts'

const DeviceId = Type.String({ minLength: 1, maxLength: 255, description: 'The app’s own identifier of the phone.' })

/** Registration of phones. No answer ever holds a push token (spec: authentication 8). */
export function registerDevicesRoutes(app: App, deps: Deps): void {
  const registerDevice = createRegisterDevice(deps)
  app.post(
    '/api/user/save-phone-token',
    {
      config: { access: 'user', limits: ['save-phone-token', 'save-phone-token-ip'] },
      schema: {
        tags: ['Devices'],
        summary: 'Register this phone, at every launch of the app',
        body: Body({
          token: Type.String({ minLength: 1, maxLength: 255 }),
          device_id: DeviceId,
          platform: Type.Enum(['ios', 'android']),
        }),
        response: answers(
          200,
          Success(Type.Object({ device_id: Type.String(), platform: Type.String() })),
          400,
          401,
          409,
          413,
          415,
          422,
        ),
      },
    },
    async (request) => {
      const { token, device_id, platform } = request.body
      await registerDevice({ userId: principalOf(request).userId, token, deviceId: device_id, platform })
      return ok({ device_id, platform }, 'Device registered')
    },
  )

  app.delete(
    '/api/user/phone-token',
    {
      config: { access: 'user' },
      schema: {
        tags: ['Devices'],
        summary: 'Release a phone: it receives no more pushes',
        querystring: Type.Object({ device_id: DeviceId }),
        response: answers(200, Success(Type.Object({ released: Type.Boolean() })), 401, 422),
      },
    },
    async (request) => {
      const released = await releaseDevice(deps, principalOf(request).userId, request.query.device_id)
      return ok({ released }, released ? 'Device released' : 'No such device was registered')
    },
  )
}
