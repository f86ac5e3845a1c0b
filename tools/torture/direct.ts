import type { Http2Fault } from '../../simulator/src/http2/faults.ts'
import type { World } from './world.ts'

/** Faults of the connections to Apple, to Google and to the browsers' service. */
export function scriptConnections({ provider }: World, faults: Http2Fault[]): void {
  const { apple, google, browsers } = provider.direct()
  apple.production.script(faults)
  google.http2.script(faults)
  browsers.scriptFaults(faults)
}

/** How many faults of connections each has met, and the pushes that it took and disowned, as a script asked for. */
export function countFaults({ provider }: World): { name: string; faults: number; liedAbout: number }[] {
  const { apple, google, browsers } = provider.direct()
  const counts = { apns: apple.production.counts(), fcm: google.http2.counts(), web: browsers.counts() }
  return Object.entries(counts).map(([name, { faults, liedAbout }]) => ({ name, faults, liedAbout }))
}
