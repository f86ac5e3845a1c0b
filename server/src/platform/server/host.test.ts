// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'
import { buildAnother } from '../../../test/support/build-app.ts'
import { configWith, type Config } from '../config/config.ts'

async function readHealth({ deps }: Service, host: string, settings: Partial<Config>) {
  const config = configWith({ ...deps.config, ...settings })
  const { app } = await buildAnother({ ...deps, config })
  const answer = await app.inject({ url: '/api/health', headers: { host } })
  await app.close()
  return answer
}

const NAMES = { ALLOWED_HOSTS: ['api.example', 'Panel.example'] }
const PRODUCTION = { NODE_ENV: 'production' } as const

describe('the API', () => {
  test.for<[host: string, settings: Partial<Config>]>([
    ['evil.example', {}],
    ['evil.example:3000', {}],
    ['localhost.evil.example', {}],
    ['127.0.0.1.evil.example', {}],
    ['evil.example', { HOST: 'localhost' }],
    ['evil.example', { HOST: '::1' }],
    ['evil.example', NAMES],
    ['evil.example', { ...NAMES, ...PRODUCTION }],
    ['evil.example', { ...NAMES, HOST: '0.0.0.0' }],
    ['xapi.example', NAMES],
  ])('does not answer as %s under %j: 400 in the envelope', async ([host, settings], { service }) => {
    const answer = await readHealth(service, host, settings)
    expectError(answer, 400, 'BAD_REQUEST')
    expect(answer.body).not.toContain(host)
  })

  test.for<[host: string, settings: Partial<Config>]>([
    ['localhost:3000', {}],
    ['LOCALHOST', {}],
    ['127.0.0.1:3000', {}],
    ['[::1]:3000', {}],
    // An emulated phone reaches its machine by this.
    ['10.0.2.2:3000', {}],
    ['API.example:3000', NAMES],
    ['panel.example', { ...NAMES, ...PRODUCTION }],
    ['any.example', PRODUCTION],
    ['any.example', { HOST: '0.0.0.0' }],
  ])('answers as %s under %j', async ([host, settings], { service }) => {
    expect((await readHealth(service, host, settings)).statusCode).toBe(200)
  })
})
