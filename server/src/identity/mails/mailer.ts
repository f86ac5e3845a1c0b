import type { Config } from '../../platform/config/config.ts'
import { isLoopback } from '../../platform/shared/networks.ts'

/** `id` is the same for every try, so that a mailbox can know a second copy. */
export type Mail = { id: string; to: string; subject: string; text: string }

export type MailAnswer = { outcome: 'accepted' } | { outcome: 'refused'; code: string }

export type Mailer = {
  /** Rejects when the outcome is unknown, or another try may work; the error's code names why, never the text. */
  send(mail: Mail): Promise<MailAnswer>
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

export async function openMailer({ MAIL_URL, MAIL_FROM }: Config): Promise<Mailer | undefined> {
  if (MAIL_URL === '') return undefined
  const { createTransport } = await import('nodemailer')
  const url = new URL(MAIL_URL)
  const isTls = url.protocol === 'smtps:'
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    secure: isTls,
    // A mail contains a link that opens an account, so it is sent encrypted or not at all.
    requireTLS: !isTls && !isLoopback(url.hostname),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = MAIL_FROM.slice(MAIL_FROM.lastIndexOf('@') + 1).replace('>', '')
  return {
    send: async ({ id, to, subject, text }) => {
      const headers = { 'Auto-Submitted': 'auto-generated' }
      try {
        // An object, because a string may be parsed as several addresses.
        const recipient = { name: '', address: to }
        await transport.sendMail({
          from: MAIL_FROM,
          to: recipient,
          subject,
          text,
          headers,
          messageId: `<${id}@${domain}>`,
        })
        return { outcome: 'accepted' }
      } catch (error) {
        const fault = error as Fault
        if (isFinal(fault)) return { outcome: 'refused', code: `SMTP ${fault.responseCode}` }
        // The error itself is not thrown, because it may quote what was sent.
        throw Object.assign(new Error('The mail server did not take a mail.'), { code: fault.code ?? 'UNKNOWN' })
      }
    },
  }
}

type Fault = { code?: string; command?: string; responseCode?: number; response?: string }

// RFC 3463, 5.7: security or policy. Postfix says so of a sender that lacks credentials, when it hears the recipient.
const OF_POLICY = /^5\d\d[ -]5\.7\./

/** The server permanently refuses this recipient or text. What it says to `MAIL FROM`, or by its policy, is about us,
 * so about every mail: it lacks our credentials, or does not know our address. */
function isFinal({ code, command, responseCode = 0, response = '' }: Fault): boolean {
  const isOfUs = command === 'MAIL FROM' || OF_POLICY.test(response)
  const isOfMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && !isOfUs)
  return isOfMail && responseCode >= 500 && responseCode < 600
}
