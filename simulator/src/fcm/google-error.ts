/** An answer of Google's over HTTP. */
export type Answer = { status: number; headers?: Record<string, string>; body: string }

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'
const QUOTA_FAILURE = 'type.googleapis.com/google.rpc.QuotaFailure'
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo'

/** google.rpc.Code, by HTTP status; several have the same. */
type Wrong = { status: number; name: string; message: string; details?: object[] }

/** Every fault that a send may be answered, by its name in scripts and for tokens. */
export const FAULTS = {
  UNREGISTERED: ofPhone(404, 'NOT_FOUND', 'UNREGISTERED', 'Requested entity was not found.'),
  NOT_FOUND: { status: 404, name: 'NOT_FOUND', message: 'Requested entity was not found.' },
  INVALID_ARGUMENT: ofPhone(
    400,
    'INVALID_ARGUMENT',
    'INVALID_ARGUMENT',
    'The registration token is not a valid FCM registration token',
  ),
  BAD_REQUEST: badRequest('message.data[0].value', 'Invalid value at message.data[0].value (TYPE_STRING), 1'),
  SENDER_ID_MISMATCH: ofPhone(403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH', 'SenderId mismatch'),
  PERMISSION_DENIED: {
    status: 403,
    name: 'PERMISSION_DENIED',
    message: "Permission 'cloudmessaging.messages.create' denied on the resource (or it may not exist).",
    details: [{ '@type': ERROR_INFO, reason: 'IAM_PERMISSION_DENIED', domain: 'cloudresourcemanager.googleapis.com' }],
  },
  UNAUTHENTICATED: {
    status: 401,
    name: 'UNAUTHENTICATED',
    message: 'Request had invalid authentication credentials. Expected OAuth 2 access token.',
    details: [{ '@type': ERROR_INFO, reason: 'ACCESS_TOKEN_EXPIRED', domain: 'googleapis.com' }],
  },
  THIRD_PARTY_AUTH_ERROR: ofPhone(401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR', 'Auth error from APNS or Web Push'),
  QUOTA_PROJECT: quota('project:1234567890', 'Quota exceeded for quota metric Messages and limit per minute.'),
  QUOTA_DEVICE: quota('device:1', 'Sending limit exceeded for this device.'),
  QUOTA_TOPIC: quota('topic:news', 'Sending limit exceeded for this topic.'),
  QUOTA_UNNAMED: { status: 429, name: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted.' },
  UNAVAILABLE: ofPhone(503, 'UNAVAILABLE', 'UNAVAILABLE', 'The service is currently unavailable.'),
  INTERNAL: ofPhone(500, 'INTERNAL', 'INTERNAL', 'Internal error encountered.'),
  UNSPECIFIED_ERROR: ofPhone(500, 'INTERNAL', 'UNSPECIFIED_ERROR', 'Unspecified error.'),
} satisfies Record<string, Wrong>
export type FaultName = keyof typeof FAULTS

export function answerFault(name: FaultName, headers: Record<string, string> = {}): Answer {
  return answerWrong(FAULTS[name], headers)
}

export function answerWrong({ status, name, message, details = [] }: Wrong, headers = {}): Answer {
  const body = JSON.stringify({ error: { code: status, message, status: name, details } })
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body }
}

/** A fault of the message's form. Google names the phone's code beside it for some. */
export function badRequest(field: string, description: string, code?: string): Wrong {
  const violation = { '@type': BAD_REQUEST, fieldViolations: [{ field, description }] }
  const details = code === undefined ? [violation] : [{ '@type': FCM_ERROR, errorCode: code }, violation]
  return { status: 400, name: 'INVALID_ARGUMENT', message: description, details }
}

/** The code about the phone stands in the details alone. */
export function ofPhone(status: number, name: string, errorCode: string, message: string): Wrong {
  return { status, name, message, details: [{ '@type': FCM_ERROR, errorCode }] }
}

function quota(subject: string, description: string): Wrong {
  const failure = { '@type': QUOTA_FAILURE, violations: [{ subject, description }] }
  const fault = ofPhone(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED', description)
  return { ...fault, details: [...(fault.details ?? []), failure] }
}
