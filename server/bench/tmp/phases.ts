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
await insertPeople(bench.pool, 40000)
const sim = await bench.simulator(0)
const { deps, close } = await createDeps(configWith({ DATABASE_URL: bench.databaseUrl, JWT_SECRET: 'x'.repeat(64), EXPO_BASE_URL: sim.url, PUSH_RATE_PER_SECOND: 0 }), createLog('warn'))
const t: Record<string, number> = {}
const time = async <T>(k: string, f: () => Promise<T>) => { const a = performance.now(); const c = process.cpuUsage(); const r = await f(); t[k] = (t[k] ?? 0) + performance.now() - a; const d = process.cpuUsage(c); t[k + ' cpu'] = (t[k + ' cpu'] ?? 0) + (d.user + d.system) / 1000; return r }
const m = await startBulkSend(deps, { audience: 'all', content: { title: 'Hello', text: 'World of swaps '.repeat(5), data: { link: 'swapbell://x' } }, senderId: 1 })
await time('coordinate', () => coordinate(deps, m.messageId, new AbortController().signal))
const size = Number(process.argv[2] ?? 16)
for (;;) {
  const jobs = await time('fetch', () => fetchJobs(deps.queue, 'send-campaign', size))
  if (!jobs.length) break
  const claim = await time('claim', () => claimBatches(deps, jobs.map((j) => j.data.batchId)))
  const answers = await time('submit', () => Promise.all(claim.requests.map(async (request) => ({ request, ...(await deps.provider.submit(request.map((p) => p.push))) }))))
  await time('settle', () => settle(deps, 'campaign', claim, answers, jobs))
}
for (const [k, v] of Object.entries(t)) console.log(k.padEnd(16), v.toFixed(0), 'ms', (v / 40).toFixed(2), 'ms/1000')
await close(); await sim.stop(); await bench.close()
