import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

/** A mail as it arrived. */
export type ReceivedMail = {
  id: number
  /** ISO 8601. */
  at: string
  messageId: string
  from: string
  to: string[]
  subject: string
  text: string
}

/** How the mailbox treats mails: `refuses` says no for good, `refuses-sender` and `refuses-relay` to all, `busy` for
 * now, `silent` never answers. */
export const MAIL_MODES = ['normal', 'refuses', 'refuses-sender', 'refuses-relay', 'busy', 'silent'] as const
type MailMode = (typeof MAIL_MODES)[number]

/** A mail server that stores all mails to any address. */
export type Mailbox = {
  /** The address for MAIL_URL. */
  url: string
  /** The mails, the newest last; the oldest of many are forgotten. */
  mails(): readonly ReceivedMail[]
  setMode(mode: MailMode): void
  mode(): MailMode
  clear(): void
  close(): Promise<void>
}

const MOST_MAILS = 500
const MOST_BYTES = 256 * 1024
const CLOSE_MS = 1_000

/** Starts a mailbox on loopback; port 0 takes any free one. */
export async function startMailbox({
  port = 0,
  now = Date.now,
}: { port?: number; now?: () => number } = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const state: { mode: MailMode; last: number } = { mode: 'normal', last: 0 }

  const receive = async (stream: SMTPServerDataStream, { envelope }: SMTPServerSession) => {
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece as Buffer)
    if (stream.sizeExceeded) throw Object.assign(new Error('Too large'), { responseCode: 552 })
    if (state.mode === 'silent') await sleep(3_600_000, undefined, { ref: false })
    const { subject = '', text = '', messageId = '' } = await PostalMime.parse(Buffer.concat(pieces))
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
    const to = envelope.rcptTo.map(({ address }) => address)
    mails.push({ id: ++state.last, at: new Date(now()).toISOString(), messageId, from, to, subject, text })
    if (mails.length > MOST_MAILS) mails.shift()
  }

  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MOST_BYTES,
    closeTimeout: CLOSE_MS,
    onMailFrom: (_address, _session, done) => {
      const refusal = Object.assign(new Error('Authentication required'), { responseCode: 530 })
      done(state.mode === 'refuses-sender' ? refusal : null)
    },
    onRcptTo: (_address, _session, done) => {
      if (state.mode === 'refuses') return done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
      if (state.mode === 'refuses-relay')
        return done(Object.assign(new Error('5.7.1 Relay access denied'), { responseCode: 554 }))
      if (state.mode === 'busy') return done(Object.assign(new Error('Try later'), { responseCode: 451 }))
      done()
    },
    onData: (stream, session, done) => void answer(receive(stream, session), done),
  })
  server.on('error', () => undefined)
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const bound = listening.address()
  if (bound === null || typeof bound === 'string') throw new Error('The mailbox listens on no port')
  return {
    url: `smtp://127.0.0.1:${bound.port}`,
    mails: () => mails,
    setMode: (mode) => void (state.mode = mode),
    mode: () => state.mode,
    clear: () => void (mails.length = 0),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function answer(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await work
    done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}
