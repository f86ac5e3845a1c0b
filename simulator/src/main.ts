import { startSimulator } from './server.ts'
import { readSettings } from './settings.ts'
import { readTrialStart } from './wall/trial.ts'

const { options, faults } = readSettings(process.env)
if (faults.length > 0) {
  process.stderr.write(faults.map((fault) => `simulator: ${fault}\n`).join(''))
  process.exit(1)
}

const simulator = await startSimulator(options).catch((error: unknown) => {
  process.stderr.write(`simulator: cannot listen: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
process.stdout.write(`Expo push simulator at ${simulator.url} (phones: ${simulator.url}/)\n`)

process.on('message', (message) => {
  const trial = readTrialStart(message)
  if (trial) void simulator.openTrial(trial)
})

// A parent that started us over IPC learns the address, and takes us down with itself.
process.send?.({ ready: true, url: simulator.url, mail: simulator.mailUrl, providers: simulator.providersFile })
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
  process.once(event, () => void simulator.close().then(() => process.exit(0)))
}
