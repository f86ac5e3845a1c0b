import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { answers, Body, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { nothing, write } from '../../platform/http/write.ts'
import { Email, Password } from '../../platform/people/account-fields.ts'
import { refuseWithoutMail } from '../mails/mails.ts'
import { askForPassword, prepareReset, resetPassword } from './password.ts'
import { MailToken } from './recovery.views.ts'

const Nothing = Success(Type.Object({}))
const ASKED = {
  status: 202,
  message: 'If this address has an account, a mail is on its way to it',
  view: nothing,
} as const
const RESET = { message: 'Password changed. Sign in with it', view: nothing }

export function registerPasswordRecoveryRoutes(app: App, deps: IdentityDeps): void {
  app.post('/api/v1/password/forgot', {
    config: { access: 'public', limits: ['password-forgot'] },
    schema: {
      operationId: 'forgotPassword',
      summary: 'Request a mail with a link to set a new password; the answer is the same for every address',
      body: Body({ email: Email }),
      response: answers(202, Nothing),
    },
    handler: async (request, reply) => {
      refuseWithoutMail(deps)
      const { email } = request.body
      return write(deps, { request, reply }, ASKED, ({ tx }) => askForPassword(deps, tx, email))
    },
  })

  app.post('/api/v1/password/reset', {
    config: { access: 'public', limits: ['mail-token'] },
    schema: {
      operationId: 'resetPassword',
      summary: 'Set a new password with the token from the mail; all sessions end. A token works once, for 30 minutes',
      body: Body({ token: MailToken, password: Password }),
      response: answers(200, Nothing),
    },
    handler: async (request, reply) => {
      const { token } = request.body
      const secret = await prepareReset(deps, request.body)
      return write(deps, { request, reply }, RESET, ({ tx, by: caller }) =>
        resetPassword(deps, tx, { token, secret }, caller),
      )
    },
  })
}
