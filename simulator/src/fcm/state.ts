import type { Watch } from '../http2/double.ts'
import { createLedger, type Ledger } from '../ledger.ts'
import type { FaultName } from './google-error.ts'
import type { Message } from './message.ts'
import type { OAuth } from './oauth.ts'
import { createQuota, type Quota } from './quota.ts'
import type { Script } from './script.ts'
import { makeServiceAccount, PROJECT, readServiceAccount, type ServiceAccount } from './service-account.ts'
import type { Waiting } from './waiting.ts'

/** How the double behaves. Times are milliseconds unless they say otherwise. */
export type FcmOptions = {
  /** 0, the default, takes any free port. */
  port?: number
  tokenPort?: number
  project?: string
  /** The key file of the account that may send; absent: it is made. */
  credentials?: string
  /** Messages a minute for the project, 0 = no limit. Default 600,000 (Google). */
  quotaPerMinute?: number
  /** Whether an answer of 429 says when the window ends. Default true. */
  saysRetryAfter?: boolean
  /** The life of an access token. Default 3,599 (Google). */
  tokenSeconds?: number
  latencyMs?: number
  /** An honest GOAWAY after so many requests of a connection; 0: none. */
  goawayEvery?: number
  /** The clock in Unix milliseconds. */
  now?: () => number
  /** Gets each message that a phone shows. */
  onMessage?: (message: Message) => void
  /** The ledger of accepted messages; absent: one of its own. */
  ledger?: Ledger
  watch?: Watch
}

export type FcmState = {
  project: string
  account: ServiceAccount
  oauth: OAuth
  ledger: Ledger
  quota: Quota
  saysRetryAfter: boolean
  script: Script
  /** How messages to a token are answered. */
  faults: Map<string, FaultName>
  waiting: Waiting
  counts: { sends: number; tokenRequests: number; validated: number; refused: Record<string, number> }
  latencyMs: number
  advancedMs: number
  now: () => number
  onMessage: (message: Message) => void
}

const GOOGLE_TOKEN_S = 3_599
const GOOGLE_A_MINUTE = 600_000

export function createState(options: FcmOptions): FcmState {
  const { credentials, now = Date.now } = options
  const account =
    credentials === undefined ? makeServiceAccount(options.project ?? PROJECT) : readServiceAccount(credentials)
  const { project } = account
  const state: FcmState = {
    project,
    account,
    oauth: {
      accounts: new Map([[account.email, { ...account, maySend: true }]]),
      workloads: [],
      given: new Map(),
      tokenSeconds: options.tokenSeconds ?? GOOGLE_TOKEN_S,
      now: () => state.now(),
    },
    ledger: options.ledger ?? createLedger(),
    quota: createQuota(options.quotaPerMinute ?? GOOGLE_A_MINUTE),
    saysRetryAfter: options.saysRetryAfter ?? true,
    script: [],
    faults: new Map(),
    waiting: { phones: new Map(), lost: 0 },
    counts: { sends: 0, tokenRequests: 0, validated: 0, refused: {} },
    latencyMs: options.latencyMs ?? 0,
    advancedMs: 0,
    now: () => now() + state.advancedMs,
    onMessage: options.onMessage ?? (() => undefined),
  }
  return state
}
