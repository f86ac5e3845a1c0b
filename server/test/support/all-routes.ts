import { test as base } from './app.ts'
import { UNREAD } from './mail.ts'
import { startService } from './service.ts'

/** Tests of all routes, on a service whose mails wait. A file of its own: `override` changes `test` for importers. */
export const test = base.override('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startService(UNREAD)
  onCleanup(() => service.close())
  return service
})
