import { Type, type Static } from 'typebox'
import { COMMON_SETTINGS, KEY_SETTINGS } from '../common-settings.ts'
import { ENVIRONMENTS } from '../provider.ts'

const ID = { pattern: '^[A-Z0-9]{10}$', 'x-fault': 'must have ten capital letters and digits, as Apple shows it' }

/** One app in one environment; the key of Apple is in a file or a variable. */
export const APNS_SETTINGS = Type.Object(
  {
    ...COMMON_SETTINGS,
    ...KEY_SETTINGS,
    environment: Type.Enum(ENVIRONMENTS),
    team: Type.String(ID),
    key_id: Type.String(ID),
    topic: Type.String({
      pattern: '^[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+$',
      'x-fault': 'must be the bundle id of the app, such as com.example.swapbell',
      maxLength: 155,
    }),
  },
  { additionalProperties: false },
)

export type ApnsSettings = Static<typeof APNS_SETTINGS>
