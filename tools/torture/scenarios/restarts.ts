import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../local-postgres/src/free-port.ts'
import { register } from '../api.ts'
import { startProxies, startWhereProxies, type Proxy } from '../environments/proxies.ts'
import type { Process } from '../processes.ts'
import { toFinding, runningOn, type Finding, type Scenario } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import type { World } from '../world.ts'

// More of them, all of one person, wait for a connection longer than a pool lets them where the processor is shared.
const CALLERS = 8
const BURST_MOST = 6
const KEEP_SECONDS = 2
const LAME_DUCK_SECONDS = 2
const IN_TIME_MS = (LAME_DUCK_SECONDS + KEEP_SECONDS + 1 + 25) * 1_000
// A proxy that only hears of failures tries a restarted process again after a second.
const SEEN_AGAIN_MS = 1_500

export const restarts: Scenario = runningOn(startWhereProxies, {
  name: 'restarts',
  about: 'processes of the API are restarted one after another under bursts of POSTs through nginx and HAProxy',
  worldOptions: () => ({
    users: 10,
    settings: {
      LAME_DUCK_SECONDS: String(LAME_DUCK_SECONDS),
      PROXY_KEEP_ALIVE_SECONDS: String(KEEP_SECONDS),
      WATCHDOG_SECONDS: '600',
    },
  }),
  run: restartAll,
})

async function restartAll(world: World): Promise<Finding> {
  const ports = [await freePort(), await freePort()]
  const start = (port: number) => world.startWeb({ PORT: String(port) })
  const webs = await Promise.all(ports.map(start))
  const proxies = await startProxies(world.folder, ports, KEEP_SECONDS)
  const { token } = await register(webs[0]!.url)
  const callers = proxies.map((proxy) => startCallers(world, proxy, token))
  const ends: { process: Process; code: number | null; ms: number }[] = []
  for (let n = 0; n < world.plan.kills; n++) {
    const place = n % webs.length
    const process = webs[place]!
    ends.push({ process, ...(await process.terminate()) })
    webs[place] = await start(ports[place]!)
    await until(
      'the restarted process was ready',
      30_000,
      async () => (await fetch(`${webs[place]!.url}/api/ready`)).ok,
    )
    await sleep(SEEN_AGAIN_MS)
  }
  const heard = await Promise.all(callers.map(({ stop }) => stop()))
  const logs = await Promise.all(proxies.map(({ stop }) => stop()))
  const bad = ends.filter(({ code, ms }) => code !== 0 || ms > IN_TIME_MS)
  const times = ends.map(({ ms }) => ms)
  const lost = heard.flatMap(({ name, answers }) =>
    [...answers].flatMap(([how, count]) => (how === '200' ? [] : [`${count} POSTs through ${name}: ${how}`])),
  )
  return toFinding(
    world,
    { messageIds: [], duplicates: 'none' },
    {
      faults: [
        ...bad.map(({ process, code, ms }) => `SIGTERM: ${process.name} ended with ${code} after ${ms} ms`),
        ...lost,
        // Refused connections are usual here, so what a proxy logs is a fault only beside a lost request.
        ...(lost.length > 0 ? logs.flat() : []),
        ...heard.flatMap(({ name, answers }) => (answers.get('200') ? [] : [`no POST went through ${name}`])),
      ],
      notes: [
        `${ends.length} restarts, which took ${Math.min(...times)} to ${Math.max(...times)} ms`,
        ...heard.map(({ name, answers }) => `POSTs through ${name} answered 200: ${answers.get('200') ?? 0}`),
      ],
    },
  )
}

/** Bursts of POSTs by all callers at once, with pauses in which the connections of the proxy are about to end. */
function startCallers(world: World, { name, url }: Proxy, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS })
  const answers = new Map<string, number>()
  const ending = new AbortController()
  const burst = async (caller: number, posts: number) => {
    for (let n = 0; n < posts; n++) {
      const how = await post(agent, url, { token, device: `${name} ${caller}` })
      answers.set(how, (answers.get(how) ?? 0) + 1)
    }
  }
  const loop = async () => {
    while (!ending.signal.aborted) {
      const posts = world.random.between(1, BURST_MOST)
      await Promise.all(Array.from({ length: CALLERS }, (_, caller) => burst(caller, posts)))
      await sleep(world.random.between(0, 1) === 0 ? 0 : world.random.between(0, KEEP_SECONDS * 1_200))
    }
  }
  const looping = loop()
  const stop = async () => {
    ending.abort()
    await looping
    agent.destroy()
    return { name, answers }
  }
  return { stop }
}

/** The status of the answer, or how there was none. */
function post(agent: Agent, url: string, { token, device }: { token: string; device: string }): Promise<string> {
  const body = JSON.stringify({
    token: `ExponentPushToken[${device.replaceAll(' ', '-')}]`,
    device_id: device,
    platform: 'ios',
  })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  return new Promise((resolve) => {
    const call = request(`${url}/api/user/save-phone-token`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(String(answer.statusCode)))
      answer.once('error', (error) => resolve(error.message))
    })
    call.once('error', (error) => resolve(error.message))
    call.end(body)
  })
}
