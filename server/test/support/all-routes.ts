import { test as base } from './app.ts'
import { UNREAD } from './mail.ts'
import { startService, type Service } from './service.ts'

/** Tests of all routes, on a service whose mails wait. */
export const test = base.extend<'service', Service>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startService(UNREAD)
  onCleanup(() => service.close())
  return service
})
