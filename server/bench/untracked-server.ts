import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createDeps } from '../src/deps.ts'
import { createLog } from '../src/shared/log.ts'

// The API as it is, but for one thing: nobody's activity is noted.
const read = readConfig(process.env)
if ('faults' in read) throw new Error(read.faults.join(' '))
const { deps } = await createDeps(read.config, createLog('warn'))
const { app } = await buildApp({ ...deps, activity: { ...deps.activity, touch: () => undefined } })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true, url })
