import { bareScript, officialBulk, officialLoop, type Baseline } from './baselines.ts'
import { measureCampaign, type CampaignFigures } from './campaign.ts'
import { insertPeople } from './people.ts'
import { startBench, type Bench } from './setup.ts'

// `npm run bench` measures all of it; `npm run bench -- 20000` with another number of devices.
const devices = Number(process.argv[2] ?? 100_000)

const bench = await startBench()
try {
  say(`preparing ${devices} devices`)
  await insertPeople(bench.pool, devices)
  await compareCampaign(bench, 'the provider answers at once', { latencyMs: 0, inFlight: 6 })
  await compareCampaign(bench, 'the provider takes 50 ms', { latencyMs: 50, inFlight: 64 })
} finally {
  await bench.close()
}

/** One campaign to everyone, against ways to do the same without queue, ledger or safety. */
async function compareCampaign(
  on: Bench,
  name: string,
  { latencyMs, inFlight }: { latencyMs: number; inFlight: number },
): Promise<void> {
  const baselines: [string, Baseline, number][] = [
    ['bare script', bareScript, inFlight],
    ['official client, README loop', officialLoop, 6],
    ['official client, bulk, 32 in flight', officialBulk, 32],
  ]
  say(`\n${name}, ${inFlight} requests in flight`)
  const ours = await measureCampaign(on, { latencyMs, settings: { PUSH_CONCURRENCY: String(inFlight) } })
  say(describe(ours))
  for (const [what, measure, atOnce] of baselines) {
    const simulator = await on.simulator(latencyMs)
    const perSecond = await measure(on.pool, simulator.url, atOnce)
    await simulator.stop()
    say(
      `  ${what.padEnd(38)} ${String(perSecond).padStart(7)}/s   ours is ${(ours.perSecond / perSecond).toFixed(2)} ×`,
    )
  }
}

function describe({ devices: count, perSecond, workerMegabytes }: CampaignFigures): string {
  return `  ${'campaign, request to last ticket'.padEnd(38)} ${String(perSecond).padStart(7)}/s   ${count} devices, worker ${workerMegabytes} MB`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
