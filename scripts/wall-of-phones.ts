import { DEMO_PASSWORD, demoEmail } from '../tools/demo/accounts.ts'

// The test users, whom a campaign to the sandbox reaches.
const PHONES = 10
const PEOPLE = 60

/**
 * What the simulator is told when the API at `api` is ready: whom it signs in on the phones of its page. Without the
 * demonstration data there is nobody.
 */
export function wallOfPhones(api: string, hasDemoData: boolean) {
  const count = hasDemoData ? PEOPLE : 0
  const people = Array.from({ length: count }, (_, index) => demoEmail(index + 1))
  return { api, people, password: DEMO_PASSWORD, phones: Math.min(PHONES, count) }
}
