import { openFirebase, openNodeApn, openWebPush, toFirebase, toWebText, type Message } from './messages.ts'
import { redirect } from './peers.ts'
import { askGoogle, toVapidKeys } from './senders.ts'
import { toToken, type Kind, type Target } from './target.ts'

// Sends some pushes by the peer of a kind, one after the other, in a process of its own.

export type OracleWish = { target: Target; messages: Message[] }

const SEND: Record<Kind, (wish: OracleWish) => Promise<void>> = {
  apns: async ({ target, messages }) => {
    const { send, close } = openNodeApn(target.url, target.key)
    for (const [n, message] of messages.entries()) await send(message, [toToken(target, n)])
    close()
  },
  fcm: async ({ target, messages }) => {
    const { project, token } = await askGoogle(target)
    redirect(new URL(target.url))
    const { send } = openFirebase(project, token)
    for (const [n, message] of messages.entries()) await send([toFirebase(toToken(target, n), message)])
  },
  web: async ({ target, messages }) => {
    const { send } = openWebPush(toVapidKeys(target.key))
    for (const [n, message] of messages.entries()) await send(toToken(target, n), toWebText(message), message)
  },
}

process.on('message', (wish: OracleWish) => void answer(wish))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function answer(wish: OracleWish): Promise<void> {
  await SEND[wish.target.kind](wish)
  process.send?.('sent')
}
