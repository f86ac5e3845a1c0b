import { setTimeout as sleep } from 'node:timers/promises'
import { SENDERS, type Sender } from './senders.ts'
import { TOLD, type Target } from './target.ts'

// Sends in a process of its own, by the sender and to the double that a message names.

export type SenderWish = { name: string; target: Target; stalledMs: number }

/** `told`: by push, the place in TOLD. `givenBack`: pushes that were sent once more. */
export type SenderReport = { told: Uint8Array; givenBack: number; seconds: number; hasStalled: boolean }

const AGAIN = TOLD.indexOf('again')

process.on('message', (wish: SenderWish) => void run(wish))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function run({ name, target, stalledMs }: SenderWish): Promise<void> {
  const sender = await SENDERS[target.kind][name]!(target)
  const told = new Uint8Array(target.pushes)
  const all = Array.from({ length: target.pushes }, (_, push) => push)
  const startedAt = performance.now()
  let givenBack = 0
  let hasStalled = await sendAll(sender, all, { told, stalledMs })
  for (let tries = 1; tries < sender.tries && !hasStalled; tries++) {
    const back = all.filter((push) => told[push] === AGAIN)
    givenBack += back.length
    hasStalled = await sendAll(sender, back, { told, stalledMs })
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const report: SenderReport = { told, givenBack, seconds, hasStalled }
  process.send?.(report)
}

type Ground = { told: Uint8Array; stalledMs: number }

/** Whether a call did not settle in time, after which no other begins. */
async function sendAll(sender: Sender, pushes: number[], { told, stalledMs }: Ground): Promise<boolean> {
  let next = 0
  let hasStalled = false
  const line = async (): Promise<void> => {
    while (next < pushes.length && !hasStalled) {
      const group = pushes.slice(next, next + sender.aCall)
      next += group.length
      const answers = await Promise.race([sender.send(group), stall(stalledMs)])
      if (answers === undefined) hasStalled = true
      for (const [n, push] of group.entries()) told[push] = TOLD.indexOf(answers?.[n] ?? 'nothing')
    }
  }
  await Promise.all(Array.from({ length: sender.callsAtOnce }, line))
  return hasStalled
}

async function stall(ms: number): Promise<undefined> {
  await sleep(ms, undefined, { ref: false })
}
