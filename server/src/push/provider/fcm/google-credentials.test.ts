import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeServiceAccount } from '../../../../../simulator/src/fcm/service-account.ts'
import { findFcmFaults } from './fcm-settings.ts'
import { readCredentials } from './google-credentials.ts'

const { file } = makeServiceAccount('swapbell-1')
const account = JSON.parse(file) as Record<string, unknown>
const workload = { type: 'external_account', audience: 'a', credential_source: { file: '/token' } }

describe('credentials', () => {
  test('of a service account name its project', () => {
    expect(readCredentials(file)).toMatchObject({ type: 'service_account', project: 'swapbell-1' })
    expect(readCredentials(file, 'another')).toMatchObject({ project: 'another' })
  })

  test('of workload identity name it by its quota, by the account that is acted as, or not at all', () => {
    const at = 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts'
    const acting = `${at}/push@swapbell-2.iam.gserviceaccount.com:generateAccessToken`
    expect(readWorkload({ quota_project_id: 'swapbell-3' })).toMatchObject({ project: 'swapbell-3' })
    expect(readWorkload({ service_account_impersonation_url: acting })).toMatchObject({ project: 'swapbell-2' })
    expect(readWorkload({}, 'swapbell-4')).toMatchObject({ type: 'external_account', project: 'swapbell-4' })
    expect(readWorkload({})).toContain('must have a project')
  })

  test.for<[string, string, string]>([
    ['are JSON', 'secret-text', 'that are JSON'],
    [
      'are those of an account',
      JSON.stringify({ type: 'authorized_user', refresh_token: 'secret-text' }),
      'of a service account',
    ],
    ['have a key', JSON.stringify({ ...account, private_key: 'secret-text' }), 'with a private_key'],
    ['have an RSA key', JSON.stringify({ ...account, private_key: ellipticKey() }), 'with a private_key'],
    ['name the account', JSON.stringify({ ...account, client_email: undefined }), 'with a private_key'],
    ['name a project', JSON.stringify({ ...account, project_id: 'No Project' }), 'must have a project'],
  ])('%s, or a sentence says what to do without quoting them', ([, text, fault]) => {
    const [said = ''] = findFcmFaults({ app: 'swapbell' }, text)
    expect(said).toContain(fault)
    expect(said).not.toContain('secret-text')
  })

  test('that are right have no fault', () => {
    expect(findFcmFaults({ app: 'swapbell' }, file)).toEqual([])
  })
})

function ellipticKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function readWorkload(more: object, project?: string) {
  return readCredentials(JSON.stringify({ ...workload, ...more }), project)
}
