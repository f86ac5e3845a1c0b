import { buildApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/platform/config/read-config.ts'
import { createDeps } from '../../server/src/deps.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'

// The API as it is, but that SIGUSR2 switches off, and on again, that activity is noted: two processes are never alike
// enough to show a difference of a percent.
const read = readConfig(process.env)
if ('faults' in read) throw new Error(read.faults.join(' '))
const { deps } = await createDeps(read.config, createLog('warn'))
const noting = { isOn: true }
const touch = (userId: number) => {
  if (noting.isOn) deps.activity.touch(userId)
}
const { app } = await buildApp({ ...deps, activity: { ...deps.activity, touch } })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGUSR2', () => (noting.isOn = !noting.isOn))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true, url })
