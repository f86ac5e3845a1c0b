import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { requirePrincipal } from '../../platform/http/access.ts'
import { answers, Body, EmptyBody, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { nothing, write } from '../../platform/http/write.ts'
import { Email, Password } from '../../platform/people/account-fields.ts'
import { refuseWithoutMail } from '../mails/mails.ts'
import { requestReset, requestConfirmation, confirmAddress, prepareReset, resetPassword } from './recovery.ts'

/** The link of a mail carries it after `#token=`. */
const MailToken = Type.String({
  minLength: 43,
  maxLength: 43,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-fault': 'must be the token from a mail',
})
const Nothing = Success(Type.Object({}))

export function registerRecoveryRoutes(app: App, deps: IdentityDeps): void {
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
      return write(deps, { request, reply }, MAILED, (work) => requestReset(work, request.body.email))
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
      const answer = { message: 'Password changed. Sign in with it', view: nothing }
      return write(deps, { request, reply }, answer, (work) =>
        resetPassword(work, { sessions: deps.sessions, token, secret }),
      )
    },
  })

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
      const answer = { ...MAILED, message: 'A mail is on its way to your address' }
      return write(deps, { request, reply }, answer, (work) =>
        requestConfirmation(work, requirePrincipal(request).userId),
      )
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
      write(deps, { request, reply }, { message: 'Address confirmed', view: nothing }, (work) =>
        confirmAddress(work, { sessions: deps.sessions, token: request.body.token }),
      ),
  })
}

const MAILED = {
  status: 202,
  message: 'If this address has an account, a mail is on its way to it',
  view: nothing,
} as const
