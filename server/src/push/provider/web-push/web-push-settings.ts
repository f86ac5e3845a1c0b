import { Type, type Static } from 'typebox'
import { COMMON_SETTINGS, KEY_SETTINGS } from '../common-settings.ts'

const { address: _theirs, ...COMMON } = COMMON_SETTINGS
const HOST = '^(?:\\*\\.)?[a-z0-9-]+(?:\\.[a-z0-9-]+)*(?::(?!443$)[0-9]{1,5})?$'

// An address does not name the usual port, so such a host would be that of none.
const HOST_FAULT = 'must be a host such as push.example.com or *.example.com, without :443'

export const WEB_PUSH_SETTINGS = Type.Object(
  {
    ...COMMON,
    ...KEY_SETTINGS,
    subject: Type.String({ minLength: 1, maxLength: 200 }),
    /** The push services that browsers may name. */
    hosts: Type.Optional(
      Type.Array(Type.String({ pattern: HOST, 'x-fault': HOST_FAULT, maxLength: 200 }), { minItems: 1 }),
    ),
  },
  { additionalProperties: false },
)

export type WebPushSettings = Static<typeof WEB_PUSH_SETTINGS>
