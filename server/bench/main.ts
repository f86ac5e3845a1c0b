import { measureCampaign } from './campaign.ts'
import { insertPeople } from './people.ts'
import { startBench } from './setup.ts'

const DEVICES = Number(process.argv[2] ?? 100_000)

const bench = await startBench()
try {
  process.stdout.write(`preparing ${DEVICES} devices\n`)
  await insertPeople(bench.pool, DEVICES)
  const atOnce = await measureCampaign(bench, { latencyMs: 0, settings: {} })
  print('campaign, provider answers at once', atOnce)
  const slow = await measureCampaign(bench, { latencyMs: 50, settings: { PUSH_CONCURRENCY: '64' } })
  print('campaign, provider takes 50 ms, 64 in flight', slow)
} finally {
  await bench.close()
}

function print(name: string, figures: { devices: number; perSecond: number; workerMegabytes: number }): void {
  process.stdout.write(
    `${name}: ${figures.devices} devices, ${figures.perSecond}/s, worker ${figures.workerMegabytes} MB\n`,
  )
}
