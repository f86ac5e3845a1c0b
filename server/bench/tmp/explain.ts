import { Client } from 'pg'
import { startBench } from '../setup.ts'
import { insertPeople } from '../people.ts'
import { createDeps } from '../../src/deps.ts'
import { configWith } from '../../src/config.ts'
import { createLog } from '../../src/shared/log.ts'
import { startBulkSend } from '../../src/features/delivery/messages.ts'
import { coordinate } from '../../src/features/delivery/coordinate.ts'
import { fetchJobs } from '../../src/jobs/queue.ts'
import { claimBatches } from '../../src/features/delivery/claim.ts'
import { settle } from '../../src/features/delivery/settle.ts'
const bench = await startBench()
await bench.pool.query(`alter system set session_preload_libraries='auto_explain'`)
await bench.pool.query(`alter system set auto_explain.log_min_duration=15`)
await bench.pool.query(`alter system set auto_explain.log_analyze=on`)
await bench.pool.query(`alter system set auto_explain.log_buffers=on`)
await bench.pool.query(`alter system set auto_explain.log_triggers=on`)
await insertPeople(bench.pool, 40000)
const sim = await bench.simulator(0)
const config = configWith({ DATABASE_URL: bench.databaseUrl, JWT_SECRET: 'x'.repeat(64), EXPO_BASE_URL: sim.url, PUSH_RATE_PER_SECOND: 0 })
await bench.pool.query('select pg_reload_conf()'); await new Promise((r) => setTimeout(r, 300))
let { deps, close } = await createDeps(config, createLog('warn'))
const m = await startBulkSend(deps, { audience: 'all', content: { title: 'Hello', text: 'World', data: {} }, senderId: 1 })
await coordinate(deps, m.messageId, new AbortController().signal)
const round = async () => {
  const jobs = await fetchJobs(deps.queue, 'send-campaign', 16)
  if (!jobs.length) return false
  const claim = await claimBatches(deps, jobs.map((j) => j.data.batchId))
  const answers = await Promise.all(claim.requests.map(async (request) => ({ request, ...(await deps.provider.submit(request.map((p) => p.push))) })))
  await settle(deps, 'campaign', claim, answers, jobs)
  return true
}
for (let i = 0; i < 45; i++) await round()
await close()
await bench.pool.query('select pg_reload_conf()')
await new Promise((r) => setTimeout(r, 300))
;({ deps, close } = await createDeps(config, createLog('warn')))
for (let i = 0; i < 3; i++) await round()
await close(); await sim.stop()
const { readdirSync, readFileSync } = await import('node:fs')
const dir = (await bench.pool.query('show data_directory')).rows[0].data_directory
console.log(dir)
const { execSync } = await import('node:child_process')
execSync(`find /tmp/swapbell-bench-* -name postgres.log | xargs ls -t | head -1 | xargs -I{} cp {} /tmp/explain.log`)
await bench.close()
