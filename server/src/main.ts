import { hostname } from 'node:os'
import { readConfig } from './platform/config/read-config.ts'
import { VERSION } from './platform/shared/release.ts'
import { unknownSettings } from './platform/config/unknown.ts'
import { createLog } from './platform/shared/log.ts'
import { createTraceStore } from './platform/tracing/tracing.ts'
import { runUntilStopped } from './platform/process/shutdown.ts'
import { findProviderFaults, TOKEN_FORMS } from './push/provider/registry.ts'
import { startService } from './service.ts'
import { startWatchdog } from './platform/process/watchdog.ts'

const read = readConfig(process.env)
const faults = 'faults' in read ? read.faults : findProviderFaults(read.config)
if ('faults' in read || faults.length > 0) {
  process.stderr.write(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}\n`).join('')}`)
  process.exit(1)
}
const traces = createTraceStore()
const { LOG_LEVEL, OTEL_SERVICE_NAME, PROCESS } = read.config
const log = createLog(LOG_LEVEL, undefined, {
  tokens: TOKEN_FORMS,
  about: { service: OTEL_SERVICE_NAME, process: PROCESS, version: VERSION, host: hostname() },
  running: () => {
    const running = traces.getStore()
    return running === undefined ? {} : { trace_id: running.traceId }
  },
})
for (const sentence of unknownSettings(process.env, read.config)) log.warn(sentence)
try {
  const service = await startService(read.config, log, traces)
  startWatchdog(read.config.WATCHDOG_SECONDS, log)
  runUntilStopped(service, log)
  process.send?.({ ready: true, url: service.url })
} catch (error) {
  log.fatal({ err: error }, 'the service could not start')
  process.exit(1)
}
