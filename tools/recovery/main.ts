import { missingPrograms } from '../../server/test/support/programs.ts'
import { drillRecovery } from './drill.ts'
import { NEEDED } from './programs.ts'

const missing = missingPrograms(NEEDED).packages
if (missing.length > 0) {
  process.stderr.write(`The drill was not run: it needs Debian's packages ${missing.join(', ')}.\n`)
  process.exitCode = 1
} else {
  const { before, recovered, marksAfterTheMoment, metrics, isSendingHalted, secondsToRecover } =
    await drillRecovery(say)
  say(
    `Before the accident: ${before.users} users, ${before.marks} marks. Recovered: ${recovered.users}, ${recovered.marks}.`,
  )
  say(
    `Written after the moment, and gone: ${marksAfterTheMoment} marks. Sending is ${isSendingHalted ? '' : 'NOT '}halted.`,
  )
  say(`From the loss to the first write: ${secondsToRecover.toFixed(1)} s.`)
  say(metrics.trim())
  const isGood = isSendingHalted && before.users === recovered.users && before.marks === recovered.marks
  process.exitCode = isGood ? 0 : 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
