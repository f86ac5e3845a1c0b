import type { AuthClient } from 'google-auth-library'
import { Agent, fetch as send, type RequestInit } from 'undici'
import { trustAlso } from '../http/trust.ts'
import type { GoogleCredentials } from './google-credentials.ts'

/** `refused`: Google knows these credentials and does not take them; `unreachable`: it gave no answer to that. */
export type Fetched =
  | { kind: 'token'; token: string; livesMs: number }
  | { kind: 'refused'; reason: string; clockAheadMs: number | undefined }
  | { kind: 'unreachable'; reason: string }

/** One question for a new access token. It never rejects. */
export type FetchAccess = () => Promise<Fetched>

export type AccessSettings = {
  credentials: GoogleCredentials
  /** It replaces Google's own, for a proxy or a double. */
  tokenAddress?: string | undefined
  ca?: string | undefined
  timeoutMs: number
}

const SCOPES = ['https://www.googleapis.com/auth/firebase.messaging']
const MAX_ANSWER_BYTES = 65_536
// Fixed in google-auth-library for service accounts; workload identity names its addresses in its file.
const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'

/** Each question makes a client of its own, which reads a file of workload identity anew, because that changes. */
export function openGoogleAccess(settings: AccessSettings): { fetchAccess: FetchAccess; close(): Promise<void> } {
  const { ca, timeoutMs } = settings
  const agent = new Agent({
    connect: { timeout: timeoutMs, secureContext: trustAlso(ca) },
    keepAliveTimeout: 1_000,
    maxResponseSize: MAX_ANSWER_BYTES,
  })
  const fetchAccess = async (): Promise<Fetched> => {
    try {
      const client = await openClient(settings, agent)
      await client.getAccessToken()
      const { access_token: token, expiry_date: endsAt } = client.credentials
      const livesMs = (endsAt ?? NaN) - Date.now()
      if (!token || !(livesMs > 0)) return { kind: 'unreachable', reason: 'an answer without a token' }
      return { kind: 'token', token, livesMs }
    } catch (error) {
      return readFailure(error)
    }
  }
  return { fetchAccess, close: () => agent.destroy() }
}

type Client = AuthClient & { getAccessToken(): Promise<unknown> }

async function openClient({ credentials, tokenAddress, timeoutMs }: AccessSettings, agent: Agent): Promise<Client> {
  const { ExternalAccountClient, JWT } = await import('google-auth-library')
  const fetchImplementation = (url: string | URL, init?: RequestInit) => {
    const to = tokenAddress !== undefined && String(url) === GOOGLE_TOKENS ? tokenAddress : url
    return send(to, { ...init, redirect: 'error', dispatcher: agent })
  }
  const transporterOptions = {
    // The types of undici and of Node's own fetch differ in what we do not use.
    fetchImplementation: fetchImplementation as unknown as typeof fetch,
    timeout: timeoutMs,
    retryConfig: { retry: 0 },
  }
  if (credentials.type === 'service_account') {
    const { client_email: email, private_key: key, private_key_id: keyId } = credentials
    return new JWT({ email, key, ...(keyId !== undefined && { keyId }), scopes: SCOPES, transporterOptions })
  }
  const given = { ...credentials.json, scopes: SCOPES, transporterOptions }
  const client = ExternalAccountClient.fromJSON(
    given as unknown as Parameters<typeof ExternalAccountClient.fromJSON>[0],
  )
  if (client === null) throw new Error('not an external account')
  // Otherwise the library (10.9.1) asks Google's STS by a transport of its own, without our limit of time.
  Object.assign(Reflect.get(client, 'stsCredential') as object, { transporter: client.transporter })
  return client
}

type Failure = {
  message?: string
  code?: string
  cause?: { code?: string }
  response?: { status?: number; headers?: Headers; data?: { error?: unknown; error_description?: unknown } }
}

const REFUSALS = new Set([400, 401, 403])

/** Tells neither the request nor the token: Google's code and sentence are about the account, the key or the time. */
function readFailure(error: unknown): Fetched {
  const { response, code, cause, message } = error as Failure
  const { status, data, headers } = response ?? {}
  if (status === undefined) return { kind: 'unreachable', reason: cause?.code ?? code ?? message ?? 'unknown' }
  const detail = [data?.error, data?.error_description].filter((part) => typeof part === 'string').join(': ')
  const reason = `${status} ${detail}`.trim().slice(0, 300)
  // A proxy or a captive portal answers such a status too, with a page.
  if (!REFUSALS.has(status) || data?.error === undefined) return { kind: 'unreachable', reason }
  const googleNow = Date.parse(headers?.get('date') ?? '')
  return { kind: 'refused', reason, clockAheadMs: Number.isNaN(googleNow) ? undefined : Date.now() - googleNow }
}
