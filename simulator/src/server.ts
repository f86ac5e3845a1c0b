import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createControl } from './control.ts'
import { closeDirect, killDirect, type Direct } from './direct/doubles.ts'
import { isKnownHost } from './host.ts'
import { logAfter, type LogLine } from './log-lines.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { serveProtocol } from './protocol.ts'
import { addSteps, type FaultStep } from './script.ts'
import { withDefaults, type SimulatorOptions } from './settings.ts'
import { clearScript, createState, describeState, resetState, readTime, type State } from './state.ts'
import type { TokenRule } from './tokens.ts'
import type { World } from './wall/actions.ts'
import type { Phone } from './wall/phone.ts'
import { startReportingDisplays } from './wall/shown.ts'
import { startTrial, type TrialStart } from './wall/trial.ts'

/** A running simulator, with the control routes as functions for tests in the same process. */
export type Simulator = {
  /** The base URL, without a slash at its end. */
  url: string
  /** The address of the mailbox, `smtp://…`; undefined when there is none. */
  mailUrl: string | undefined
  /** What PUSH_PROVIDERS_FILE names; undefined when there is Expo's service alone. */
  providersFile: string | undefined
  direct: Direct | null
  /** The accepted messages after sequence `since` (default all), oldest first. */
  log(since?: number): LogLine[]
  /** The counts of GET /simulator/state. */
  state(): ReturnType<typeof describeState>
  /** Adds steps after those that wait; throws a TypeError for a wrong one. */
  script(steps: FaultStep[]): void
  /** Drops the waiting steps. */
  clearScript(): void
  /** Sets how messages to a token are treated; it overrides the token's name. */
  setToken(token: string, rule: TokenRule): void
  advance(ms: number): void
  /** Forgets everything: log, counts, script, token rules, clock. */
  reset(): void
  /** Puts phones on the wall that talk to this service; settles when the first of them are signed in. */
  openTrial(trial: TrialStart): Promise<void>
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

/** Starts the simulator and returns it once it listens; rejects when it cannot listen on the address. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = withDefaults(options)
  const state = createState(settings)
  const world: World = {
    wall: state.wall,
    now: () => readTime(state),
    killToken: (phone) => killToken(state, phone),
  }
  const mailbox = await openMailbox(settings.mailPort)
  state.direct = await openProviders(state)
  const control = createControl(state, world, mailbox)
  const reporting = startReportingDisplays(world)
  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => fail(response, error))
  })
  // Must be longer than the client keeps connections, or the server closes one during a request.
  server.keepAliveTimeout = 65_000
  server.listen(settings.port, settings.host)
  await once(server, 'listening')

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (!isKnownHost(request, settings.hostNames)) return refuseHost(request, response)
    if (request.method === 'POST') {
      if (path === '/--/api/v2/push/send') return serveProtocol(state, 'send', request, response)
      if (path === '/--/api/v2/push/getReceipts') {
        return serveProtocol(state, 'getReceipts', request, response)
      }
    }
    return control.serve(request, response)
  }

  return {
    url: readUrl(server),
    mailUrl: mailbox?.url,
    providersFile: state.direct?.providersFile,
    direct: state.direct,
    log: (since = 0) => [...logAfter(state.ledger, since)],
    state: () => describeState(state),
    script: (steps) => addSteps(state.script, steps),
    clearScript: () => clearScript(state),
    setToken: (token, rule) => void state.tokenRules.set(token, rule),
    advance: (ms) => void (state.advancedMs += ms),
    reset: () => resetState(state),
    openTrial: async (trial) => startTrial(world, trial),
    close: async () => {
      reporting.stop()
      control.close()
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
      await mailbox?.close()
      if (state.direct) await closeDirect(state.direct)
    },
  }
}

/** The mailbox's packages are loaded only where there is one. */
async function openMailbox(port: number | null): Promise<Mailbox | undefined> {
  if (port === null) return undefined
  const { startMailbox } = await import('./mail/mailbox.ts')
  return startMailbox({ port })
}

/** Apple's, Google's and a browser's services are loaded only where they are wished for. */
async function openProviders(state: State): Promise<Direct | null> {
  const { providersFolder } = state.options
  if (providersFolder === '') return null
  const { openDirect } = await import('./direct/direct.ts')
  return openDirect(state, providersFolder)
}

function killToken({ tokenRules, direct }: State, { kind, token }: Phone): void {
  if (kind === 'expo') tokenRules.set(token, { ticketError: 'DeviceNotRegistered' })
  else if (direct) killDirect(direct, kind, token)
}

function readUrl(server: Server): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('The simulator listens on no port')
  const { address, family, port } = bound
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Answers in the form of both the protocol and the control routes, because the client may understand either. */
function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  const message = 'The simulator is not called by this name; SIM_HOSTNAMES adds names'
  response.writeHead(403, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
  response.end(`${JSON.stringify({ error: message, errors: [{ code: 'UNKNOWN_HOST', message }] })}\n`)
}

/** A closed connection needs no answer; any other error is a bug and must be visible. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  process.stderr.write(`simulator: ${error instanceof Error ? error.stack : String(error)}\n`)
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
  response.end('{"errors":[{"code":"INTERNAL_SERVER_ERROR","message":"The simulator failed; see its output"}]}')
}
