import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

export const WHY = 'The text names the wrong shop.'

type Status = {
  breaker: string
  code: string | null
  halt: unknown
  alerts: { code: string; detail: string; resolved_at: string | null }[]
}

/** Asks for the push status, or changes it; as a new administrator unless another caller is given. */
export async function askStatus(
  { app, given }: Service,
  what?: 'halt' | 'resume',
  payload?: Record<string, unknown>,
  caller?: GivenUser,
) {
  const { headers } = caller ?? (await given.admin())
  const url = `/api/admin/push-status${what === undefined ? '' : `/${what}`}`
  return app.inject({ method: what === undefined ? 'GET' : 'POST', url, headers, ...(payload && { payload }) })
}

export async function readStatus(service: Service): Promise<Status> {
  return (await askStatus(service)).json<{ data: Status }>().data
}

export async function statusOfMessage({ deps }: Service, messageId: number) {
  const message = deps.db.selectFrom('messages').select(['status', 'pause_reason']).where('message_id', '=', messageId)
  return message.executeTakeFirstOrThrow()
}
