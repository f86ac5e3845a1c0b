import type { IncomingMessage, ServerResponse } from 'node:http'
import { readJson, sendJson } from '../json-body.ts'
import { isRecord } from '../json.ts'
import { MAIL_MODES, type Mailbox } from './mailbox.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** What serves the mailbox: its mails, the newest first, and how it behaves. Without a mailbox there are none. */
export function createMailRoutes(mailbox: Mailbox | undefined): [string, Handler][] {
  return [
    [
      'GET /simulator/mails',
      (_, response) =>
        sendJson(response, 200, { mode: mailbox?.mode() ?? null, mails: mailbox?.mails().toReversed() ?? [] }),
    ],
    [
      'POST /simulator/mails/mode',
      async (request, response) => {
        const body = await readJson(request)
        const mode = MAIL_MODES.find((known) => isRecord(body) && body['mode'] === known)
        if (mode === undefined) throw new TypeError(`mode must be one of ${MAIL_MODES.join(', ')}`)
        mailbox?.setMode(mode)
        sendJson(response, 200, { mode: mailbox?.mode() ?? null })
      },
    ],
  ]
}
