import { createPrivateKey } from 'node:crypto'
import { basename } from 'node:path'
import { Type, type Static } from 'typebox'
import { COMMON_SETTINGS } from '../common-settings.ts'
import { ENVIRONMENTS } from '../provider.ts'

const ID = '^[A-Z0-9]{10}$'

/** One app in one environment; the key of Apple is in a file or a variable. */
export const APNS_SETTINGS = Type.Object(
  {
    ...COMMON_SETTINGS,
    environment: Type.Enum(ENVIRONMENTS),
    team: Type.String({ pattern: ID }),
    key_id: Type.String({ pattern: ID }),
    key_file: Type.Optional(Type.String({ minLength: 1 })),
    key_variable: Type.Optional(Type.String({ minLength: 1 })),
    topic: Type.String({ pattern: '^[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+$', maxLength: 155 }),
  },
  { additionalProperties: false },
)

export type ApnsSettings = Static<typeof APNS_SETTINGS>

const TOPIC_OF_OTHER_TYPE = /\.(?:voip|complication|pushkit\.fileprovider|location-query|push-type\.[a-z]+)$/

export function findApnsFaults({ topic, team, key_id, key_file }: ApnsSettings, key: string): string[] {
  const [, named] = /^AuthKey_([A-Z0-9]{10})\.p8$/.exec(basename(key_file ?? '')) ?? []
  return [
    ...(isP256(key)
      ? []
      : [
          'the key must be the .p8 file that Apple gave: a P-256 private key that begins with -----BEGIN PRIVATE KEY-----',
        ]),
    ...(TOPIC_OF_OTHER_TYPE.test(topic) ? ['topic must be the bundle id of the app, without a suffix'] : []),
    ...(team === key_id
      ? ['team and key_id are the same: team is the id of the membership, key_id that of the key']
      : []),
    ...(named !== undefined && named !== key_id ? [`key_file is of the key ${named}, but key_id is ${key_id}`] : []),
  ]
}

function isP256(key: string): boolean {
  try {
    return createPrivateKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
