// Up to the end of the JSON text that contains it.
const PUSH_TOKEN = /Expo(?:nent)?PushToken\[(?:[^\]"\\]|\\.){0,300}\]?/g
// A push token may also be a UUID. The UUIDs that we log ourselves have known keys.
const UUID = /(?<!"(?:request_id|job_id)":")(?<![a-z\d])[a-z\d]{8}-(?:[a-z\d]{4}-){3}[a-z\d]{12}(?![a-z\d])/gi

export const EXPO_TOKENS = [PUSH_TOKEN, UUID] as const
