import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, EmptyBody, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { nothing, write } from '../../platform/http/write.ts'
import { refuseWithoutMail } from '../mails/mails.ts'
import { askToConfirm, confirmAddress } from './address.ts'
import { MailToken } from './recovery.views.ts'

const Nothing = Success(Type.Object({}))

export function registerAddressRoutes(app: App, deps: IdentityDeps): void {
  app.post('/api/v1/account/confirm-email', {
    config: { access: 'user', limits: ['address-confirm'] },
    schema: {
      operationId: 'sendAddressConfirmation',
      summary: 'Send the mail for confirming your address again',
      body: EmptyBody,
      response: answers(202, Nothing),
    },
    handler: async (request, reply) => {
      refuseWithoutMail(deps)
      const answer = { status: 202, message: 'A mail is on its way to your address', view: nothing } as const
      return write(deps, { request, reply }, answer, ({ tx }) => askToConfirm(deps, tx, principalOf(request).userId))
    },
  })

  app.post('/api/v1/email/confirm', {
    config: { access: 'public', limits: ['mail-token'] },
    schema: {
      operationId: 'confirmAddress',
      summary:
        'Confirm an e-mail address with the token from its mail. A token works for 30 minutes, also when its link is opened twice',
      body: Body({ token: MailToken }),
      response: answers(200, Nothing),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Address confirmed', view: nothing }, ({ tx, by: caller }) =>
        confirmAddress(deps, tx, request.body.token, caller),
      ),
  })
}
