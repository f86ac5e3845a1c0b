import { basename } from 'node:path'
import { isP256 } from '../p256.ts'
import type { ApnsSettings } from './apns-settings.schema.ts'

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
