import type { Deps } from '../../src/deps.ts'
import { send, type Send } from '../../src/push/messages/send.ts'
import { must } from '../../src/platform/shared/must.ts'
import { commitWork } from './commit.ts'

type ToUsers = Omit<Send, 'audience' | 'lane'> & { userIds: number[]; promotional: boolean }

/** Starts a message to users, without the checks of a route; gives its id. */
export async function sendToUsers(deps: Deps, { userIds, promotional, ...said }: ToUsers): Promise<number> {
  const lane = promotional ? 'campaign' : 'transactional'
  const { messageIds } = await commitWork(deps, send, { ...said, audience: { kind: 'users', userIds }, lane })
  return must(messageIds[0], 'message of a send')
}

/** Starts a campaign to everyone; gives its id. */
export async function sendToAll(deps: Deps, content: Send['content'], senderId: number): Promise<number> {
  const campaign: Send = { audience: { kind: 'all' }, content, lane: 'campaign', origin: 'bulk', senderId }
  const { messageIds } = await commitWork(deps, send, campaign)
  return must(messageIds[0], 'message of a campaign')
}
