import { basename } from 'node:path'
import { Type, type Static } from 'typebox'
import { COMMON_SETTINGS, isP256, KEY_SETTINGS } from '../common-settings.ts'
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

const TOPIC_OF_OTHER_TYPE = /\.(?:voip|complication|pushkit\.fileprovider|location-query|push-type\.[a-z]+)$/

export function findApnsFaults({ topic, team, key_id, key_file }: ApnsSettings, key: string): string[] {
  const [, named] = /^AuthKey_([A-Z0-9]{10})\.p8$/.exec(basename(key_file ?? '')) ?? []
  const faults: [is: boolean, fault: string][] = [
    [!isP256(key), 'must have the .p8 file from Apple as its key: a P-256 key that begins with BEGIN PRIVATE KEY.'],
    [TOPIC_OF_OTHER_TYPE.test(topic), 'must have the bundle id of the app as its topic, without a suffix.'],
    [team === key_id, 'must have the id of the membership as its team, and that of the key as its key_id.'],
    [named !== undefined && named !== key_id, `must have the key_id ${named}, because its key_file is of that key.`],
  ]
  return faults.flatMap(([is, fault]) => (is ? [fault] : []))
}
