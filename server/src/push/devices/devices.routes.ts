import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { PLATFORMS } from '../../platform/shared/words.ts'
import { ENVIRONMENTS, TOKEN_TYPES } from '../provider/provider.ts'
import { APP_NAME } from '../provider/common-settings.ts'
import { LONGEST_TOKEN } from '../provider/owners.ts'
import { createRegisterDevice, releaseDevice } from './devices.ts'

const DeviceId = Type.String({ minLength: 1, maxLength: 255, description: 'The app’s own id of the phone.' })

const Phone = Body({
  token: Type.String({
    minLength: 1,
    maxLength: LONGEST_TOKEN,
    description:
      'The provider’s address of the phone: `ExponentPushToken[…]`, a token of Apple or Google, or the subscription of a browser as JSON.',
  }),
  fallback_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST_TOKEN,
      description:
        'Expo’s address of a phone whose `token` is that of Apple or Google: by which of the two it is reached is the operator’s choice.',
    }),
  ),
  token_type: Type.Optional(Type.Enum([...TOKEN_TYPES], { description: 'Whose token it is. Absent: its form tells.' })),
  app: Type.Optional(
    Type.String({
      ...APP_NAME,
      description: 'The app’s name in the settings; absent: the only one.',
    }),
  ),
  environment: Type.Optional(
    Type.Enum([...ENVIRONMENTS], {
      description:
        'Apple’s: `sandbox` for development, `production` for TestFlight and the store; absent: the only one.',
    }),
  ),
  device_id: Type.Optional(DeviceId),
  platform: Type.Optional(Type.Enum(['ios', 'android', 'web'])),
})

/** No answer ever holds a push token (spec: authentication 8). */
export function registerDevicesRoutes(app: App, deps: PushDeps): void {
  const registerDevice = createRegisterDevice(deps)
  registerRoute(app, 'POST /api/user/save-phone-token', {
    access: 'user',
    limits: ['save-phone-token', 'save-phone-token-ip'],
    ownTransactions: 'Phones that register at the same moment are stored by one statement.',
    tags: ['Devices'],
    operationId: 'registerPhone',
    summary: 'Register this phone; call it at every launch of the app',
    body: Phone,
    response: answers(200, Success(Type.Object({ device_id: Type.String(), platform: Type.Enum([...PLATFORMS]) }))),
    handler: async (request) => {
      const { token, token_type: tokenType, app: ofApp, environment, platform, fallback_token } = request.body
      const { userId, sessionId } = request.caller
      // Absent: the session is on one phone.
      const device_id = request.body.device_id ?? sessionId
      const address = { token, tokenType, app: ofApp, environment, fallbackToken: fallback_token }
      const registered = await registerDevice({ userId, sessionId, deviceId: device_id, ...address, platform })
      return ok({ device_id, platform: registered.platform }, 'Device registered')
    },
  })

  registerChange(app, deps, 'DELETE /api/user/phone-token', {
    access: 'user',
    tags: ['Devices'],
    operationId: 'releasePhone',
    summary: 'Release a phone: it receives no more pushes',
    querystring: Type.Object({ device_id: DeviceId }),
    response: answers(200, Success(Type.Object({ released: Type.Boolean() }))),
    ...RELEASED,
    rule: (work, request) => releaseDevice(work, { userId: request.caller.userId, deviceId: request.query.device_id }),
  })
}

const RELEASED = {
  message: (isReleased: boolean) => (isReleased ? 'Device released' : 'No such device was registered'),
  view: (isReleased: boolean) => ({ released: isReleased }),
}
