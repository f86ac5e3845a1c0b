import { expect } from 'vitest'
import { createCalls, givenWorld } from '../../../test/support/calls.ts'
import { startService } from '../../../test/support/service.ts'
import { test } from '../../../test/support/app.ts'

const OWN = [
  'https://APP.example/a',
  'https://panel.example./a',
  'https://localhost:8080/a',
  'https://127.1/a',
  'https://[::1]/a',
  'https://[::ffff:127.0.0.1]/a',
]

type Described = { requestBody?: { content: { 'application/json': { schema: { properties?: object } } } } }

test('an address of an image is on no host of this API, by any route', async ({ onTestFinished }) => {
  const service = await startService({ ALLOWED_HOSTS: ['app.example'], PANEL_ORIGIN: 'https://panel.example' })
  onTestFinished(() => service.close())
  const calls = createCalls(await givenWorld(service))
  const { headers } = await service.given.user({ role: 'super_admin' })
  const { paths } = (await service.app.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, Described>>
  }>()
  const found: string[] = []
  for (const [name, { method, url, payload }] of Object.entries(calls)) {
    const path = name.split(' ')[1]!.replaceAll(/:(\w+)/g, '{$1}')
    const body = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].schema.properties ?? {}
    for (const [field, given] of [
      ['avatar_url', (address: string) => address],
      ['images', (address: string) => [address]],
    ] as const)
      if (field in body)
        for (const address of OWN) {
          const answer = await service.app.inject({
            method,
            url,
            headers,
            payload: { ...payload, [field]: given(address) },
          })
          const fault = field === 'images' ? 'images.0' : field
          const { errors } = answer.json<{ errors?: object }>()
          expect([name, address, errors]).toEqual([name, address, { [fault]: ['must not be on a host of this API'] }])
          found.push(name)
        }
  }
  expect(new Set(found).size).toBeGreaterThan(4)
})
