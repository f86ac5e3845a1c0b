import { expect, test as base } from 'vitest'
import { startMailbox, type Mailbox, type ReceivedMail } from '../../../simulator/src/mail/mailbox.ts'
import { sendMails } from '../../src/identity/mails/send-mails.ts'
import { renderMail } from '../../src/marketplace/texts/mails.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { must } from '../../src/platform/shared/must.ts'
import { startService, type Service } from './service.ts'

/** A service that sends mails, to a mailbox that keeps all of them. */
export type MailService = Service & {
  mailbox: Mailbox
  /** Sends what is due, as a worker does; gives how many mails were taken. */
  deliver(): Promise<number>
  /** The mails to an address, after sending what is due. */
  mailsTo(address: string): Promise<ReceivedMail[]>
  /** The token in the newest mail to an address. */
  tokenTo(address: string): Promise<string>
}

const LINK_BASE = 'https://swapbell.example'

/** Settings of a service that queues mails and sends none: nobody listens there. */
export const UNREAD = {
  MAIL_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Swapbell <no-reply@swapbell.example>',
  MAIL_LINK_BASE: LINK_BASE,
}

/** Tests on one such service a file. */
export const mailTest = base.extend<'service', MailService>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startMailService()
  onCleanup(() => service.close())
  return service
})

/** Starts one; its caller closes it. */
export async function startMailService(overrides: Partial<Config> = {}): Promise<MailService> {
  const mailbox = await startMailbox()
  const service = await startService({ ...UNREAD, MAIL_URL: mailbox.url, ...overrides })
  const { deps } = service
  const mailer = must(deps.mailer, 'a mailer')
  const deliver = async () => {
    let sent = 0
    for (;;) {
      const round = await sendMails({ ...deps, mailer }, renderMail)
      if (round.claimed === 0) return sent
      sent += round.sent
    }
  }
  const mailsTo = async (address: string) => {
    await deliver()
    return mailbox.mails().filter((mail) => mail.to.includes(address))
  }
  const tokenTo = async (address: string) => tokenIn((await mailsTo(address)).at(-1))
  const close = async () => {
    await service.close()
    await mailbox.close()
  }
  return { ...service, close, mailbox, deliver, mailsTo, tokenTo }
}

function tokenIn(mail: ReceivedMail | undefined): string {
  const [, token = ''] = /#token=([\w-]{43})\n/.exec(mail?.text ?? '') ?? []
  expect(token).not.toBe('')
  return token
}
