import { Type, type Static } from 'typebox'
import { ADDRESS, COMMON_SETTINGS } from '../common-settings.ts'
import { readCredentials } from './google-credentials.ts'

export const FCM_SETTINGS = Type.Object(
  {
    ...COMMON_SETTINGS,
    credentials_file: Type.Optional(Type.String({ minLength: 1 })),
    credentials_variable: Type.Optional(Type.String({ minLength: 1 })),
    /** The Firebase project's id, where the credentials do not name it. */
    project: Type.Optional(Type.String({ minLength: 1 })),
    /** It replaces Google's address for tokens of service accounts. */
    token_address: Type.Optional(ADDRESS),
  },
  { additionalProperties: false },
)

export type FcmSettings = Static<typeof FCM_SETTINGS>

export function findFcmFaults({ project }: FcmSettings, credentials: string): string[] {
  const read = readCredentials(credentials, project)
  return typeof read === 'string' ? [read] : []
}
