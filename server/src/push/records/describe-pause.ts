import type { Platform } from '../../platform/tables/tables.ts'
import type { ErrorCode } from '../provider/provider.ts'

/** Gives the first sentence of the alert of a platform that was paused. */
export function describePause(code: ErrorCode, platform: Platform): string {
  if (code === 'BadDeviceToken')
    return `Far more tokens for ${platform} than usual are refused: they may be of the other environment than the settings.`
  if (code === 'DeviceTokenNotForTopic')
    return `Far more tokens for ${platform} than usual are of another app than the settings name.`
  if (code === 'MismatchSenderId')
    return `Far more tokens for ${platform} than usual are of another sender, as a Firebase project or a public key, than the settings name.`
  return `The push provider refuses our credentials for ${platform}.`
}
