import type { Deps } from '../../deps.ts'
import { fromNow } from '../../shared/clock.ts'
import { removeDevices, restoreDevices } from '../devices/devices.ts'
import { haltSending } from './halt.ts'
import type { Answered } from './settle.ts'

type GoneDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'log' | 'removalGuard'>

/** A device that the provider called gone, about a push that left at `sentAt`. */
export type GoneDevice = { deviceId: number; sentAt: Date }

const UNDO_MS = 60 * 60 * 1_000

/**
 * Removes devices that the provider no longer knows (spec: DeviceNotRegistered), unless so many are gone at once that
 * the fault must be elsewhere: then nothing is removed, what was removed within the hour comes back, and sending halts
 * (decision B11).
 */
export async function removeGoneDevices(deps: GoneDeps, results: number, gone: GoneDevice[]): Promise<void> {
  if (await deps.removalGuard.allows(results, gone.length)) {
    if (gone.length > 0) await removeDevices(deps, gone)
    return
  }
  const restored = await restoreDevices(deps, fromNow(deps.clock, -UNDO_MS))
  deps.log.error({ restored }, 'too many devices are reported gone; none is removed')
  await haltSending(deps, 'DeviceNotRegistered')
}

/** The same for the tickets of requests. */
export async function handleGoneDevices(deps: GoneDeps, answers: Answered[]): Promise<void> {
  const sentAt = fromNow(deps.clock)
  let results = 0
  const gone = answers.flatMap(({ request, outcomes }) =>
    request.flatMap((push, index) => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'accepted') results++
      if (outcome?.kind !== 'refused' || outcome.code !== 'DeviceNotRegistered') return []
      results++
      return [{ deviceId: push.deviceId, sentAt }]
    }),
  )
  await removeGoneDevices(deps, results, gone)
}
