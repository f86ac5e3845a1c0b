import { setTimeout as sleep } from 'node:timers/promises'
import { SENDERS, type Sender } from './senders.ts'
import { TOLD, type Target } from './target.ts'

// Sends in a process of its own, by the sender and to the double that a message names.

export type SenderWish = { name: string; target: Target; stalledMs: number }

/** `told`: by push, the place in TOLD. `givenBack`: pushes that were sent again. Times are without the warm-up. */
export type SenderReport = {
  told: Uint8Array
  givenBack: number
  hasStalled: boolean
  seconds: number
  /** Seconds. */
  cpu: number
  megabytes: number
}

const AGAIN = TOLD.indexOf('again')

process.on('message', (wish: SenderWish) => void run(wish))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function run({ name, target, stalledMs }: SenderWish): Promise<void> {
  const sender = await SENDERS[target.kind][name]!(target)
  const outcomes = new Uint8Array(target.pushes + target.warm)
  const all = Array.from(outcomes.keys())
  const pushes = all.slice(0, target.pushes)
  await warmUp(sender, all.slice(target.pushes), { told: outcomes, stalledMs })
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  let givenBack = 0
  let hasStalled = await sendAll(sender, pushes, { told: outcomes, stalledMs })
  for (let tries = 1; tries < sender.tries && !hasStalled; tries++) {
    const back = pushes.filter((push) => outcomes[push] === AGAIN)
    givenBack += back.length
    hasStalled = await sendAll(sender, back, { told: outcomes, stalledMs })
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024)
  const report: SenderReport = { told: outcomes, givenBack, seconds, hasStalled, cpu: (user + system) / 1e6, megabytes }
  process.send?.(report)
}

/** Sends until the connections are open; phones get some pushes more than once. */
async function warmUp(sender: Sender, pushes: number[], ground: Ground): Promise<void> {
  if (pushes.length === 0) return
  const until = performance.now() + (sender.warmMs ?? 0)
  do await sendAll(sender, pushes, ground)
  while (performance.now() < until)
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
