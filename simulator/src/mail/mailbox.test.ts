import { describe, expect, it, onTestFinished } from 'vitest'
import { createTransport } from 'nodemailer'
import { call } from '../../test/simulator.ts'
import { startSimulator } from '../server.ts'

describe('the mailbox', () => {
  it('keeps all mails, in any language, and fails as it is told over HTTP', async () => {
    const simulator = await startSimulator({ port: 0, mailPort: 0 })
    onTestFinished(() => simulator.close())
    const transport = createTransport(`${simulator.mailUrl}`)
    const mail = {
      from: 'a@example.com',
      to: 'b@example.com',
      subject: 'Grüße 日本',
      text: 'Erste\nhttps://example.com/#token=a_b\n',
    }
    await transport.sendMail(mail)
    const mails = async () => (await fetch(`${simulator.url}/simulator/mails`)).json()
    expect(await mails()).toMatchObject({
      mode: 'normal',
      mails: [{ id: 1, from: mail.from, to: [mail.to], subject: mail.subject, text: mail.text }],
    })
    for (const [mode, answer] of [
      ['busy', 451],
      ['refuses', 550],
      ['refuses-sender', 530],
      ['refuses-relay', 554],
    ] as const) {
      expect((await call(`${simulator.url}/simulator/mails/mode`, 'POST', { mode })).status).toBe(200)
      await expect(transport.sendMail(mail)).rejects.toMatchObject({ responseCode: answer })
    }
    const wrong = await call(`${simulator.url}/simulator/mails/mode`, 'POST', { mode: 'toString' })
    expect([wrong.status, wrong.problem]).toEqual([400, expect.stringContaining('mode must be one of')])
    expect((await fetch(`${simulator.url}/page/mailbox.html`)).status).toBe(200)
    expect(await mails()).toMatchObject({ mails: [{ id: 1 }] })
  })
})
