import { test as base } from 'vitest'
import type { TestClock } from 'pg-boss'
import type { Simulator } from '../../../simulator/src/server.ts'
import type { App } from '../../src/platform/http/routes.ts'
import type { Given } from './given.ts'
import type { TestDeps } from './providers.ts'
import { startService, type Service } from './service.ts'

/** Tests on one service a file: the same application, database and provider protocol as in production. */
export const test = base
  .extend<'service', Service>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await startService()
    onCleanup(() => service.close())
    return service
  })
  .extend<'app', App>('app', ({ service }) => service.app)
  .extend<'deps', TestDeps>('deps', ({ service }) => service.deps)
  .extend<'given', Given>('given', ({ service }) => service.given)
  .extend<'clock', TestClock>('clock', ({ service }) => service.clock)
  .extend<'simulator', Simulator>('simulator', ({ service }) => service.simulator)
