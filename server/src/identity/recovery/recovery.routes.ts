import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { answers, Body, EmptyBody, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange } from '../../platform/http/routes.ts'
import { nothing } from '../../platform/http/write.ts'
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
  registerChange(app, deps, 'POST /api/v1/password/forgot', {
    access: 'public',
    limits: ['password-forgot'],
    operationId: 'forgotPassword',
    summary: 'Request a mail with a link to set a new password; the answer is the same for every address',
    body: Body({ email: Email }),
    response: answers(202, Nothing),
    message: 'If this address has an account, a mail is on its way to it',
    view: nothing,
    prepare: () => refuseWithoutMail(deps),
    rule: (work, { body }) => requestReset(work, body.email),
  })

  registerChange(app, deps, 'POST /api/v1/password/reset', {
    access: 'public',
    limits: ['mail-token'],
    operationId: 'resetPassword',
    summary: 'Set a new password with the token from the mail; all sessions end. A token works once, for 30 minutes',
    body: Body({ token: MailToken, password: Password }),
    response: answers(200, Nothing),
    message: 'Password changed. Sign in with it',
    view: nothing,
    prepare: ({ body }) => prepareReset(deps, body),
    rule: (work, { body }, secret) => resetPassword(work, { sessions: deps.sessions, token: body.token, secret }),
  })

  registerChange(app, deps, 'POST /api/v1/account/confirm-email', {
    access: 'user',
    limits: ['address-confirm'],
    operationId: 'sendAddressConfirmation',
    summary: 'Send the mail for confirming your address again',
    body: EmptyBody,
    response: answers(202, Nothing),
    message: 'A mail is on its way to your address',
    view: nothing,
    prepare: () => refuseWithoutMail(deps),
    rule: (work, { caller }) => requestConfirmation(work, caller.userId),
  })

  registerChange(app, deps, 'POST /api/v1/email/confirm', {
    access: 'public',
    limits: ['mail-token'],
    operationId: 'confirmAddress',
    summary:
      'Confirm an e-mail address with the token from its mail. A token works for 30 minutes, also when its link is opened twice',
    body: Body({ token: MailToken }),
    response: answers(200, Nothing),
    message: 'Address confirmed',
    view: nothing,
    rule: (work, { body }) => confirmAddress(work, { sessions: deps.sessions, token: body.token }),
  })
}
