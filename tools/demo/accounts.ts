/** Every demonstration account of a user has this password; they exist in a trial only. */
export const DEMO_PASSWORD = 'swap and be happy'

/** The e-mail address of the demonstration user with a number; 1 to 10 are the test users. */
export function demoEmail(number: number): string {
  return `demo${number}@swapbell.example`
}
