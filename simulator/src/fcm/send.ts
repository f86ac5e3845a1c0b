import { isRecord } from '../json.ts'
import { accept } from '../ledger.ts'
import { answerFault, answerWrong, type Answer } from './google-error.ts'
import { readMessage, type Message } from './message.ts'
import { findAccount, type TokenRequest } from './oauth.ts'
import { takeQuota } from './quota.ts'
import { takeStep, type Step } from './script.ts'
import type { FcmState } from './state.ts'
import { keepForOffline } from './waiting.ts'

const SEND = /^\/v1\/projects\/([^/]{1,100})\/messages:send$/
/** Tokens with this name are of no phone. */
const DEAD = 'dead-'

/** One message: in the ledger before it is answered, whatever a script says that the answer is. */
export async function answerSend(state: FcmState, asked: TokenRequest): Promise<Answer> {
  state.counts.sends++
  const step = takeStep(state.script, 'send')
  const answer = step?.answer === undefined ? serve(state, asked) : serveFault(state, asked, step)
  if (answer.status !== 200) count(state, answer)
  await step?.until
  return answer
}

function serve(state: FcmState, asked: TokenRequest): Answer {
  const [, project] = SEND.exec(asked.path) ?? []
  const account = findAccount(state.oauth, asked.authorization)
  if (account === undefined) return answerFault('UNAUTHENTICATED')
  if (project !== state.project) return answerFault('NOT_FOUND')
  if (!account.maySend || account.project !== project) return answerFault('PERMISSION_DENIED')
  const message = readMessage(asked.body)
  const quota = takeQuota(state.quota, 'wrong' in message ? '' : message.to, state.now())
  if (quota) {
    const seconds = Math.ceil(quota.leftMs / 1_000)
    const headers = state.saysRetryAfter ? { 'retry-after': String(seconds) } : {}
    return answerFault(quota.exceeded === 'project' ? 'QUOTA_PROJECT' : 'QUOTA_DEVICE', headers)
  }
  if ('wrong' in message) return answerWrong(message.wrong)
  const fault = state.faults.get(message.to) ?? (message.to.startsWith(DEAD) ? 'UNREGISTERED' : undefined)
  return fault === undefined ? take(state, message) : answerFault(fault)
}

function serveFault(state: FcmState, asked: TokenRequest, { answer, headers, accept: isAccepted }: Step): Answer {
  const message = readMessage(asked.body)
  if (isAccepted === true && !('wrong' in message)) take(state, message)
  return typeof answer === 'string' ? answerFault(answer, headers) : (answer as Answer)
}

function take(state: FcmState, message: Message): Answer {
  const prefix = `projects/${state.project}/messages/`
  if (message.validateOnly) {
    state.counts.validated++
    return answerName(`${prefix}fake_message_id`)
  }
  const { to: token, data } = message
  const time = state.now()
  const fields = { tag: data['tag'], collapseId: message.collapseKey, data: { notification_id: readId(data) } }
  const ticket = accept(state.ledger, { time, request: state.counts.sends, token, fields, plan: 'ok' })
  if (!keepForOffline(state.waiting, message, time)) state.onMessage(message)
  return answerName(prefix + ticket)
}

/** The service writes it into the text that the app reads as the push's data. */
function readId(data: Record<string, string>): unknown {
  try {
    const body: unknown = JSON.parse(data['body'] ?? 'null')
    return isRecord(body) ? body['notification_id'] : null
  } catch {
    return null
  }
}

function answerName(name: string): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ name }),
  }
}

function count({ counts }: FcmState, { status }: Answer): void {
  counts.refused[status] = (counts.refused[status] ?? 0) + 1
}
