import { randomUUID } from 'node:crypto'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

const URL = '/api/user/save-phone-token'

export function register({ app }: Service, { headers }: GivenUser, device: Record<string, unknown>) {
  return app.inject({ method: 'POST', url: URL, headers, payload: device })
}

export function phone(overrides: Record<string, unknown> = {}) {
  return { token: `ExponentPushToken[${randomUUID()}]`, device_id: randomUUID(), platform: 'ios', ...overrides }
}

export function toDevices({ deps }: Service, { userId }: GivenUser) {
  return deps.db.selectFrom('mobile_devices').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}
