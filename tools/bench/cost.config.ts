import { defineConfig } from 'vitest/config'

// The measurement uses the services of the tests, and these need their runner.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['tools/bench/*.measure.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
})
