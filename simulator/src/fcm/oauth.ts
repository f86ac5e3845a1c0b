import { randomBytes, verify } from 'node:crypto'
import { isRecord, isString } from '../json.ts'
import type { Answer } from './google-error.ts'

/** An account that may ask for access tokens. `maySend` false: without the right to send in its project. */
export type Account = { email: string; publicKey: string; project: string; maySend: boolean }

/** Who may act as an account by a token of another service; `impersonates`: only by one more step. */
type Workload = { audience: string; subjectToken: string; email: string; impersonates: boolean }

/** An access token that was given, until it ends (Unix ms). `federated`: of Google's STS, good for one more step. */
type Given = { email: string; endsAt: number; federated: boolean }

export type OAuth = {
  accounts: Map<string, Account>
  workloads: Workload[]
  given: Map<string, Given>
  tokenSeconds: number
  now: () => number
}

const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const BY_JWT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const BY_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const LONGEST_S = 3_600
const SKEW_S = 300
const IMPERSONATE = /^\/v1\/projects\/-\/serviceAccounts\/([^:/]{1,200}):generateAccessToken$/

const TIME_FAULT =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. ' +
  'Check your iat and exp values in the JWT claim.'

/** A request of any route. */
export type TokenRequest = { path: string; authorization: string | undefined; body: string }

/** POST /token, /v1/token (STS) and …:generateAccessToken. */
export function answerToken(oauth: OAuth, { path, authorization, body }: TokenRequest): Answer {
  const [, impersonated] = IMPERSONATE.exec(path) ?? []
  if (impersonated !== undefined) return impersonate(oauth, decodeURIComponent(impersonated), authorization)
  const form = new URLSearchParams(body)
  const grant = form.get('grant_type')
  if (path === '/token' && grant === BY_JWT) return answerAssertion(oauth, form.get('assertion') ?? '')
  if (path === '/v1/token' && grant === BY_EXCHANGE) return exchange(oauth, form)
  return refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${grant ?? ''}`)
}

/** The account of a bearer, unless it is unknown or has ended. */
export function findAccount(oauth: OAuth, authorization: string | undefined): Account | undefined {
  const given = oauth.given.get((authorization ?? '').replace(/^Bearer /, ''))
  return given && !given.federated && given.endsAt > oauth.now() ? oauth.accounts.get(given.email) : undefined
}

function answerAssertion(oauth: OAuth, assertion: string): Answer {
  const [head = '', claim = '', signature = ''] = assertion.split('.')
  const header = decode(head)
  const claims = decode(claim)
  if (header?.['alg'] !== 'RS256' || claims === undefined) return refuse(400, 'invalid_grant', 'Invalid JWT.')
  const account = oauth.accounts.get(String(claims['iss']))
  if (account === undefined) return refuse(400, 'invalid_grant', 'Invalid grant: account not found')
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claim}`),
    account.publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return refuse(400, 'invalid_grant', 'Invalid JWT Signature.')
  const { iat, exp, aud, scope } = claims
  const now = oauth.now() / 1_000
  const isTimely =
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    exp - iat <= LONGEST_S &&
    exp > now &&
    Math.abs(now - iat) <= LONGEST_S &&
    iat <= now + SKEW_S
  if (!isTimely) return refuse(400, 'invalid_grant', TIME_FAULT)
  if (aud !== GOOGLE_TOKENS) return refuse(400, 'invalid_grant', 'Invalid JWT: wrong audience')
  if (!isString(scope) || !scope.split(' ').includes(SCOPE)) return refuse(400, 'invalid_scope', 'Invalid OAuth scope')
  return answerJson({ access_token: give(oauth, account.email), expires_in: oauth.tokenSeconds, token_type: 'Bearer' })
}

function exchange(oauth: OAuth, form: URLSearchParams): Answer {
  const isMatching = ({ audience, subjectToken }: Workload) =>
    audience === form.get('audience') && subjectToken === form.get('subject_token')
  const workload = oauth.workloads.find(isMatching)
  if (workload === undefined) return refuse(400, 'invalid_grant', 'The subject token is not of this pool')
  return answerJson({
    access_token: give(oauth, workload.email, workload.impersonates),
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: oauth.tokenSeconds,
  })
}

function impersonate(oauth: OAuth, email: string, authorization: string | undefined): Answer {
  const federated = oauth.given.get((authorization ?? '').replace(/^Bearer /, ''))
  if (federated?.federated !== true || federated.email !== email) {
    const error = {
      code: 403,
      message: 'Permission iam.serviceAccounts.getAccessToken denied',
      status: 'PERMISSION_DENIED',
    }
    return { ...answerJson({ error }), status: 403 }
  }
  const expireTime = new Date(oauth.now() + oauth.tokenSeconds * 1_000).toISOString()
  return answerJson({ accessToken: give(oauth, email), expireTime })
}

function give({ given, now, tokenSeconds }: OAuth, email: string, federated = false): string {
  const token = `ya29.${randomBytes(24).toString('base64url')}`
  given.set(token, { email, endsAt: now() + tokenSeconds * 1_000, federated })
  return token
}

function refuse(status: number, error: string, error_description: string): Answer {
  return { ...answerJson({ error, error_description }), status }
}

function answerJson(value: object): Answer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
