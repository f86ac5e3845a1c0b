import manifest from '../../../package.json' with { type: 'json' }

/** The version of the service, its API and its packages: they are one (`server/test/version.test.ts`). */
export const VERSION: string = manifest.version
