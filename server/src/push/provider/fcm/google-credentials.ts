import { createPrivateKey } from 'node:crypto'
import { isRecord, parseJson } from '../../../platform/shared/json.ts'

/** A key of a service account, or a configuration of workload identity, which has no key. */
export type GoogleCredentials = { project: string } & (
  | { type: 'service_account'; client_email: string; private_key: string; private_key_id: string | undefined }
  | { type: 'external_account'; json: object }
)

const PROJECT = /^[a-z\d][a-z\d.:-]{3,61}$/
// Google: the account's address ends with its project.
const IMPERSONATED = /\/serviceAccounts\/[^/@:]{1,100}@([a-z\d-]{1,63})\.iam\.gserviceaccount\.com:generateAccessToken$/

const NOT_JSON = 'must have credentials that are JSON: the file that Google Cloud makes, unchanged.'
const NOT_ACCOUNT =
  'must have the credentials of a service account (type service_account) or of workload identity (external_account).'
const NO_KEY =
  'must have credentials with a private_key and a client_email: make a new key for the account, and give its file.'
const NO_PROJECT = 'must have a project: the id of the Firebase project, which these credentials do not name.'

/** A text says what is wrong and what to do, and never quotes the credentials. `project`: that of the settings. */
export function readCredentials(text: string, project?: string): GoogleCredentials | string {
  const json = parseJson(text)
  if (!isRecord(json)) return NOT_JSON
  const read = (name: string) => (typeof json[name] === 'string' ? json[name] : undefined)
  const own = project ?? read('project_id') ?? read('quota_project_id') ?? findImpersonatedProject(json)
  const type = read('type')
  if (type !== 'service_account' && type !== 'external_account') return NOT_ACCOUNT
  if (own === undefined || !PROJECT.test(own)) return NO_PROJECT
  if (type === 'external_account') return { type, project: own, json }
  const private_key = read('private_key')
  const client_email = read('client_email')
  if (private_key === undefined || client_email === undefined || !isRsaKey(private_key)) return NO_KEY
  return { type, project: own, client_email, private_key, private_key_id: read('private_key_id') }
}

function findImpersonatedProject(json: Record<string, unknown>): string | undefined {
  const url = json['service_account_impersonation_url']
  return typeof url === 'string' ? IMPERSONATED.exec(url)?.[1] : undefined
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
