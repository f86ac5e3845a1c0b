import { reportDisplay, type World } from './actions.ts'

const EVERY_MS = 200
const AT_ONCE = 8

/** Tells Swapbell of shown banners, a few at a time, so that a campaign to all phones does not flood it. */
export function startReportingDisplays(world: World): { stop(): void } {
  let isReporting = false
  const timer = setInterval(() => {
    const some = isReporting ? [] : world.wall.shown.splice(0, AT_ONCE)
    if (some.length === 0) return
    isReporting = true
    void Promise.all(some.map(async ({ phone, notificationId }) => reportDisplay(world, phone, notificationId))).then(
      () => (isReporting = false),
    )
  }, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
