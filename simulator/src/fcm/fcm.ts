import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { LOCALHOST } from '../http2/certificates.ts'
import { startHttp2Double, type Http2Double } from '../http2/double.ts'
import { acceptedAfter, type AcceptedMessage } from '../ledger.ts'
import { addToScript } from '../script.ts'
import { answerFault, type Answer, type FaultName } from './google-error.ts'
import type { Message } from './message.ts'
import { answerToken, type Account } from './oauth.ts'
import { takeStep, type Step } from './script.ts'
import { answerSend } from './send.ts'
import { makeServiceAccount } from './service-account.ts'
import { createState, type FcmOptions, type FcmState } from './state.ts'
import { setOffline, setOnline } from './waiting.ts'

/** Google's sending service and its token endpoints, for one Firebase project. */
export type FcmDouble = {
  /** `https://localhost:…`, where messages are sent to. */
  url: string
  /** Where a service account asks for access tokens; workload identity asks below the same host. */
  tokenUrl: string
  project: string
  /** The key file of an account that may send. */
  credentials: string
  /** The key file of a further account; `maySend` false: without the right to. */
  addAccount(how?: { maySend?: boolean; project?: string }): string
  /** A configuration of workload identity, whose token lies in this file. */
  addWorkload(file: string, subjectToken: string, how?: { impersonates?: boolean }): string
  /** The account exists no more: no token is given, and those that were are void. */
  removeAccounts(): void
  /** The access tokens that were given are void, as after a change of rights. */
  voidTokens(): void
  /** How messages to a token are answered; null: as usual. */
  setToken(token: string, fault: FaultName | null): void
  /** Takes a phone offline, or brings it back: then it gets what waited. */
  setOnline(token: string, isOnline: boolean): Message[]
  /** Faults of HTTP/2 and TLS on the connections that send. */
  http2: Pick<Http2Double, 'script' | 'clearScript' | 'faultsLeft' | 'counts' | 'loseConnections'>
  script(steps: Step[]): void
  clearScript(): void
  log(since?: number): AcceptedMessage[]
  state(): ReturnType<typeof describe>
  advance(ms: number): void
  close(): Promise<void>
}

/** Google: streams of a connection. */
const STREAMS = 100

export async function startFcm(options: FcmOptions = {}): Promise<FcmDouble> {
  const state = createState(options)
  const http2 = await startHttp2Double({
    streams: STREAMS,
    port: options.port ?? 0,
    ...(options.goawayEvery !== undefined && { goawayEvery: options.goawayEvery }),
    latencyMs: state.latencyMs,
    watch: options.watch,
    answer: async ({ path, headers: { authorization }, body }) =>
      dated(state, await answerSend(state, { path, authorization, body: body.toString('utf8') })),
  })
  const tokens = await startTokenServer(state, options)
  const tokenHost = `https://localhost:${(tokens.address() as AddressInfo).port}`
  return {
    url: http2.url,
    tokenUrl: `${tokenHost}/token`,
    project: state.project,
    credentials: state.account.file,
    addAccount: ({ maySend = true, project = state.project } = {}) => addAccount(state, { maySend, project }),
    addWorkload: (file, subjectToken, { impersonates = true } = {}) =>
      addWorkload(state, { file, subjectToken, impersonates, tokenHost }),
    removeAccounts: () => {
      state.oauth.accounts.clear()
      state.oauth.given.clear()
    },
    voidTokens: () => state.oauth.given.clear(),
    setToken: (token, fault) => void (fault === null ? state.faults.delete(token) : state.faults.set(token, fault)),
    setOnline: (token, isOnline) => bring(state, token, isOnline),
    http2,
    script: (steps) => addToScript(state.script, steps),
    clearScript: () => void (state.script.length = 0),
    log: (since = 0) => [...acceptedAfter(state.ledger, since)],
    state: () => describe(state),
    advance: (ms) => void (state.advancedMs += ms),
    close: async () => {
      tokens.close()
      tokens.closeAllConnections()
      await Promise.all([http2.close(), once(tokens, 'close')])
    },
  }
}

async function startTokenServer(state: FcmState, { tokenPort = 0 }: Pick<FcmOptions, 'tokenPort'>): Promise<Server> {
  const server = createServer(LOCALHOST, (request, response) => void serveToken(state, request, response))
  server.listen(tokenPort, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function serveToken(state: FcmState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  state.counts.tokenRequests++
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return
  const step = takeStep(state.script, 'token')
  const { authorization } = request.headers
  const usual = () => answerToken(state.oauth, { path: request.url ?? '', authorization, body })
  const scripted = typeof step?.answer === 'string' ? answerFault(step.answer, step.headers) : step?.answer
  const { status, headers, body: said } = dated(state, scripted ?? usual())
  await step?.until
  response.writeHead(status, headers).end(said)
}

/** Google's clock, which a test may move. */
function dated(state: FcmState, answer: Answer): Answer {
  return { ...answer, headers: { date: new Date(state.now()).toUTCString(), ...answer.headers } }
}

function addAccount(state: FcmState, { maySend, project }: Pick<Account, 'maySend' | 'project'>): string {
  const account = makeServiceAccount(project, `account-${state.oauth.accounts.size + 1}`)
  state.oauth.accounts.set(account.email, { ...account, maySend })
  return account.file
}

type NewWorkload = { file: string; subjectToken: string; impersonates: boolean; tokenHost: string }

function addWorkload(state: FcmState, { file, subjectToken, impersonates, tokenHost }: NewWorkload): string {
  const audience =
    '//iam.googleapis.com/projects/1234567890/locations/global/workloadIdentityPools/swapbell/providers/k8s'
  const { email } = state.account
  state.oauth.workloads.push({ audience, subjectToken, email, impersonates })
  return JSON.stringify({
    type: 'external_account',
    audience,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${tokenHost}/v1/token`,
    credential_source: { file },
    ...(impersonates && {
      service_account_impersonation_url: `${tokenHost}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
    }),
  })
}

function bring(state: FcmState, token: string, isOnline: boolean): Message[] {
  if (!isOnline) {
    setOffline(state.waiting, token)
    return []
  }
  const messages = setOnline(state.waiting, token, state.now())
  for (const message of messages) state.onMessage(message)
  return messages
}

function describe({ counts, ledger, script, waiting, oauth }: FcmState) {
  return {
    ...counts,
    acceptedMessages: ledger.count,
    duplicates: ledger.duplicates,
    scriptLeft: script.length,
    droppedWhileOffline: waiting.lost,
    accessTokens: oauth.given.size,
  }
}
