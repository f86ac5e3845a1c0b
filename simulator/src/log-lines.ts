import { PROJECT } from './fcm/service-account.ts'
import { acceptedAfter, type AcceptedMessage, type Ledger } from './ledger.ts'
import { isPushToken } from './tokens.ts'
import type { Provider } from './wall/push.ts'

/** An accepted push of any provider. `ticket`: as the sender knows it; null where the provider gives none. */
export type LogLine = Omit<AcceptedMessage, 'ticket'> & { provider: Provider; ticket: string | null }

/** The accepted pushes after sequence `since`, oldest first. */
export function* logAfter(ledger: Ledger, since: number): Generator<LogLine> {
  for (const message of acceptedAfter(ledger, since)) {
    const provider = findProvider(message.token)
    yield { ...message, provider, ticket: TICKETS[provider](message) }
  }
}

/** Each has tokens of a form of its own. */
function findProvider(token: string): Provider {
  if (token.startsWith('{')) return 'web'
  if (isPushToken(token)) return 'expo'
  return /^[\da-f]{64,400}$/.test(token) ? 'apns' : 'fcm'
}

const TICKETS: Record<Provider, (message: AcceptedMessage) => string | null> = {
  expo: ({ ticket }) => ticket,
  // The sender chose it, and the double kept it as the tag.
  apns: ({ tag }) => tag,
  fcm: ({ ticket }) => `projects/${PROJECT}/messages/${ticket}`,
  web: () => null,
}
